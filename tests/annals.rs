//! Whole-program tests: each reads like use. One binary, one module per subject.

#[cfg(all(feature = "sql", unix))]
#[path = "annals/addresses.rs"]
mod addresses;
#[cfg(all(feature = "remote", feature = "server", unix))]
#[path = "annals/addresses_of_stores.rs"]
mod addresses_of_stores;
#[path = "annals/advice_to_directors.rs"]
mod advice_to_directors;
#[path = "annals/aei.rs"]
mod aei;
#[cfg(feature = "sql")]
#[path = "annals/after_the_end.rs"]
mod after_the_end;
#[cfg(feature = "sql")]
#[path = "annals/also_in_log.rs"]
mod also_in_log;
#[cfg(feature = "sql")]
#[path = "annals/amazons_games.rs"]
mod amazons_games;
#[path = "annals/architecture.rs"]
mod architecture;
#[cfg(all(feature = "sql", feature = "charts"))]
#[path = "annals/asked_by_others.rs"]
mod asked_by_others;
#[cfg(feature = "sql")]
#[path = "annals/asking.rs"]
mod asking;
#[cfg(all(feature = "sql", unix))]
#[path = "annals/asking_bounds.rs"]
mod asking_bounds;
#[path = "annals/asking_formats.rs"]
mod asking_formats;
#[path = "annals/asking_tournaments.rs"]
mod asking_tournaments;
#[path = "annals/auditing.rs"]
mod auditing;
#[path = "annals/backing_up.rs"]
mod backing_up;
#[path = "annals/bounds.rs"]
mod bounds;
#[path = "annals/bringing_in.rs"]
mod bringing_in;
#[cfg(all(feature = "server", unix))]
#[path = "annals/browser.rs"]
mod browser;
#[cfg(all(feature = "server", unix))]
#[path = "annals/browsing.rs"]
mod browsing;
#[cfg(all(feature = "server", unix))]
#[path = "annals/browsing_as_analyst.rs"]
mod browsing_as_analyst;
#[cfg(all(feature = "server", unix))]
#[path = "annals/browsing_as_auditor.rs"]
mod browsing_as_auditor;
#[cfg(all(feature = "server", unix))]
#[path = "annals/browsing_live.rs"]
mod browsing_live;
#[cfg(all(feature = "server", unix))]
#[path = "annals/browsing_pages.rs"]
mod browsing_pages;
#[cfg(all(feature = "server", unix))]
#[path = "annals/browsing_without_pointer.rs"]
mod browsing_without_pointer;
#[path = "annals/bundles.rs"]
mod bundles;
#[path = "annals/championship/mod.rs"]
mod championship;
#[path = "annals/championship_causes.rs"]
mod championship_causes;
#[path = "annals/championship_rules.rs"]
mod championship_rules;
#[cfg(all(feature = "sql", feature = "charts"))]
#[path = "annals/chart_values.rs"]
mod chart_values;
#[cfg(all(feature = "sql", feature = "charts"))]
#[path = "annals/charting.rs"]
mod charting;
#[path = "annals/checked_decisions.rs"]
mod checked_decisions;
#[path = "annals/checkers.rs"]
mod checkers;
#[cfg(feature = "sql")]
#[path = "annals/citations.rs"]
mod citations;
#[path = "annals/clock.rs"]
mod clock;
#[path = "annals/clocks_that_stood.rs"]
mod clocks_that_stood;
#[path = "annals/closing_corrected.rs"]
mod closing_corrected;
#[path = "annals/colours.rs"]
mod colours;
#[cfg(feature = "sql")]
#[path = "annals/common_formats.rs"]
mod common_formats;
#[path = "annals/consistent_figures.rs"]
mod consistent_figures;
#[cfg(feature = "sql")]
#[path = "annals/csv_of_reports.rs"]
mod csv_of_reports;
#[cfg(all(feature = "sql", feature = "charts"))]
#[path = "annals/damaged.rs"]
mod damaged;
#[path = "annals/demonstrating.rs"]
mod demonstrating;
#[path = "annals/directing.rs"]
mod directing;
#[path = "annals/director.rs"]
mod director;
#[path = "annals/directors_decisions.rs"]
mod directors_decisions;
#[path = "annals/documents.rs"]
mod documents;
#[path = "annals/drawing_lots.rs"]
mod drawing_lots;
#[path = "annals/earlier_results.rs"]
mod earlier_results;
#[path = "annals/edges_of_2009.rs"]
mod edges_of_2009;
#[cfg(all(feature = "sql", feature = "charts", feature = "learning"))]
#[path = "annals/errors.rs"]
mod errors;
#[path = "annals/evaluating.rs"]
mod evaluating;
#[path = "annals/event_types.rs"]
mod event_types;
#[path = "annals/events_2000.rs"]
mod events_2000;
#[path = "annals/events_2006.rs"]
mod events_2006;
#[path = "annals/events_2009.rs"]
mod events_2009;
#[cfg(feature = "sql")]
#[path = "annals/exporting.rs"]
mod exporting;
#[cfg(feature = "sql")]
#[path = "annals/extremes_in_sql.rs"]
mod extremes_in_sql;
#[path = "annals/features.rs"]
mod features;
#[path = "annals/fide_report.rs"]
mod fide_report;
#[cfg(all(feature = "flight-sql", unix))]
#[path = "annals/flight.rs"]
mod flight;
#[cfg(all(feature = "sql", feature = "charts"))]
#[path = "annals/gallery.rs"]
mod gallery;
#[path = "annals/game_files.rs"]
mod game_files;
#[path = "annals/game_limit.rs"]
mod game_limit;
#[cfg(all(feature = "learning", feature = "charts", unix))]
#[path = "annals/generations.rs"]
mod generations;
#[path = "annals/hash_of_an_event.rs"]
mod hash_of_an_event;
#[cfg(all(feature = "sql", feature = "charts"))]
#[path = "annals/help.rs"]
mod help;
#[cfg(all(feature = "sql", unix))]
#[path = "annals/hostile_files.rs"]
mod hostile_files;
#[path = "annals/hostile_imports.rs"]
mod hostile_imports;
#[cfg(all(feature = "server", unix))]
#[path = "annals/hostile_names.rs"]
mod hostile_names;
#[path = "annals/importing_history.rs"]
mod importing_history;
#[path = "annals/ingesting.rs"]
mod ingesting;
#[cfg(target_os = "linux")]
#[path = "annals/interrupted.rs"]
mod interrupted;
#[path = "annals/interrupting.rs"]
mod interrupting;
#[cfg(all(feature = "learning", unix))]
#[path = "annals/killing.rs"]
mod killing;
#[path = "annals/later_corrections.rs"]
mod later_corrections;
#[path = "annals/limit_times.rs"]
mod limit_times;
#[path = "annals/limits_of_championships.rs"]
mod limits_of_championships;
#[path = "annals/log_damage.rs"]
mod log_damage;
#[path = "annals/log_surroundings.rs"]
mod log_surroundings;
#[cfg(feature = "sql")]
#[path = "annals/logged_games.rs"]
mod logged_games;
#[path = "annals/logging.rs"]
mod logging;
#[cfg(all(feature = "learning", feature = "sql", unix))]
#[path = "annals/long_work.rs"]
mod long_work;
#[cfg(all(feature = "server", unix))]
#[path = "annals/names_of_sides.rs"]
mod names_of_sides;
#[cfg(all(feature = "sql", feature = "charts"))]
#[path = "annals/naming_games.rs"]
mod naming_games;
#[path = "annals/narrow_terminals.rs"]
mod narrow_terminals;
#[cfg(all(feature = "sql", feature = "charts"))]
#[path = "annals/old_datasets.rs"]
mod old_datasets;
#[path = "annals/old_logs.rs"]
mod old_logs;
#[path = "annals/old_readings.rs"]
mod old_readings;
#[path = "annals/olympiad.rs"]
mod olympiad;
#[path = "annals/olympiad_refusals.rs"]
mod olympiad_refusals;
#[path = "annals/operating.rs"]
mod operating;
#[path = "annals/out_of_the_final.rs"]
mod out_of_the_final;
#[cfg(all(feature = "sql", feature = "charts", feature = "learning"))]
#[path = "annals/output_files.rs"]
mod output_files;
#[cfg(all(feature = "sql", unix))]
#[path = "annals/own_tables.rs"]
mod own_tables;
#[path = "annals/pages.rs"]
mod pages;
#[cfg(all(feature = "server", unix))]
#[path = "annals/pictures_of_pages.rs"]
mod pictures_of_pages;
#[path = "annals/playing.rs"]
mod playing;
#[path = "annals/playing_amazons.rs"]
mod playing_amazons;
#[path = "annals/playing_at_once.rs"]
mod playing_at_once;
#[path = "annals/postal_games.rs"]
mod postal_games;
#[path = "annals/postal_rulings.rs"]
mod postal_rulings;
#[cfg(feature = "charts")]
#[path = "annals/printed_pages.rs"]
mod printed_pages;
#[path = "annals/program.rs"]
mod program;
#[cfg(feature = "sql")]
#[path = "annals/pseudo_terminal.rs"]
mod pseudo_terminal;
#[cfg(all(feature = "sql", feature = "charts"))]
#[path = "annals/python_client.rs"]
mod python_client;
#[path = "annals/python_pages.rs"]
mod python_pages;
#[path = "annals/ranks_and_places.rs"]
mod ranks_and_places;
#[path = "annals/rating.rs"]
mod rating;
#[cfg(feature = "sql")]
#[path = "annals/rating_log.rs"]
mod rating_log;
#[cfg(feature = "sql")]
#[path = "annals/rating_rulings.rs"]
mod rating_rulings;
#[cfg(feature = "sql")]
#[path = "annals/reading_games.rs"]
mod reading_games;
#[path = "annals/readme.rs"]
mod readme;
#[path = "annals/recorded_late.rs"]
mod recorded_late;
#[path = "annals/recovering.rs"]
mod recovering;
#[path = "annals/refusals.rs"]
mod refusals;
#[path = "annals/renaming.rs"]
mod renaming;
#[path = "annals/replaying.rs"]
mod replaying;
#[cfg(all(feature = "learning", feature = "charts"))]
#[path = "annals/reproducing.rs"]
mod reproducing;
#[path = "annals/rule_table.rs"]
mod rule_table;
#[cfg(all(feature = "server", unix))]
#[path = "annals/screenshots.rs"]
mod screenshots;
#[path = "annals/selfplay.rs"]
mod selfplay;
#[cfg(all(feature = "server", unix))]
#[path = "annals/server.rs"]
mod server;
#[cfg(all(feature = "server", unix))]
#[path = "annals/serving.rs"]
mod serving;
#[cfg(all(feature = "server", unix))]
#[path = "annals/serving_kept.rs"]
mod serving_kept;
#[cfg(all(feature = "server", unix))]
#[path = "annals/serving_record.rs"]
mod serving_record;
#[cfg(all(feature = "server", unix))]
#[path = "annals/serving_sql.rs"]
mod serving_sql;
#[cfg(all(feature = "server", unix))]
#[path = "annals/serving_views.rs"]
mod serving_views;
#[cfg(feature = "sql")]
#[path = "annals/sharded_ingest.rs"]
mod sharded_ingest;
#[path = "annals/signing.rs"]
mod signing;
#[path = "annals/simulated_logs.rs"]
mod simulated_logs;
#[cfg(all(feature = "server", unix))]
#[path = "annals/site.rs"]
mod site;
#[cfg(all(feature = "server", unix))]
#[path = "annals/site_of_old_events.rs"]
mod site_of_old_events;
#[cfg(feature = "sql")]
#[path = "annals/slips_of_a_director.rs"]
mod slips_of_a_director;
#[cfg(all(feature = "sql", feature = "charts"))]
#[path = "annals/sql_arithmetic.rs"]
mod sql_arithmetic;
#[path = "annals/state_files.rs"]
mod state_files;
#[cfg(all(feature = "learning", feature = "sql"))]
#[path = "annals/stored_games.rs"]
mod stored_games;
#[cfg(feature = "charts")]
#[path = "annals/studying.rs"]
mod studying;
#[path = "annals/supposing.rs"]
mod supposing;
#[path = "annals/swiss_corrected.rs"]
mod swiss_corrected;
#[path = "annals/tournament.rs"]
mod tournament;
#[cfg(feature = "sql")]
#[path = "annals/tournaments_in_sql.rs"]
mod tournaments_in_sql;
#[cfg(feature = "learning")]
#[path = "annals/training.rs"]
mod training;
#[path = "annals/turns_and_boards.rs"]
mod turns_and_boards;
#[cfg(feature = "sql")]
#[path = "annals/uncertain_dates.rs"]
mod uncertain_dates;
#[path = "annals/undecided.rs"]
mod undecided;
#[cfg(all(feature = "server", unix))]
#[path = "annals/under_way.rs"]
mod under_way;
#[path = "annals/week_2009.rs"]
mod week_2009;
#[path = "annals/witnessing.rs"]
mod witnessing;
#[path = "annals/words.rs"]
mod words;
#[cfg(all(feature = "cluster", unix))]
#[path = "annals/worker_faults.rs"]
mod worker_faults;
#[cfg(all(feature = "cluster", unix))]
#[path = "annals/workers.rs"]
mod workers;
