//! The publication of a dataset as a model that is searched whole: several publishers and a reader of one address, processes
//! that are killed, answers that are lost.

use std::collections::{BTreeMap, BTreeSet};

use crate::search::search;

/// A mistake of the program, to see that the promises notice it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mistake {
    CreatesTheManifestFirst,
    ReplacesAManifest,
    TakesALostAnswerForAFailure,
    RemovesWhatItDoesNotList,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Idle,
    /// On the dataset of this number; so many of its objects are copied.
    Copying(u8, usize),
    /// The manifest was sent, and no answer came.
    Unanswered(u8),
    Published(u8),
    Refused,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Publisher {
    step: Step,
    /// The random number of this attempt.
    commit: u8,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Manifest {
    commit: u8,
    on: u8,
    objects: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    objects: BTreeSet<u8>,
    manifests: BTreeMap<u8, Manifest>,
    publishers: Vec<Publisher>,
    /// The manifest that the reader has, and how many of its objects it has read.
    reading: Option<(Manifest, usize)>,
    missed: bool,
    attempts: u8,
    kills: u8,
}

#[derive(Debug, Clone, Copy)]
struct Model {
    publishers: usize,
    attempts: u8,
    kills: u8,
    mistake: Option<Mistake>,
}

impl Model {
    fn first(&self) -> State {
        let idle = |commit| Publisher { step: Step::Idle, commit };
        State {
            objects: BTreeSet::new(),
            manifests: BTreeMap::new(),
            publishers: (0..self.publishers as u8).map(idle).collect(),
            reading: None,
            missed: false,
            attempts: self.publishers as u8,
            kills: 0,
        }
    }

    /// One object that all datasets share, and two of its own.
    fn objects(p: usize) -> Vec<u8> {
        let own = 2 * p as u8;
        vec![0, own + 1, own + 2]
    }

    fn next(&self, state: &State) -> Vec<(String, State)> {
        let mut out = Vec::new();
        let mut add = |what: String, change: &dyn Fn(&mut State)| {
            let mut reached = state.clone();
            change(&mut reached);
            out.push((what, reached));
        };
        let last = state.manifests.keys().last().copied().unwrap_or(0);
        for (p, publisher) in state.publishers.iter().enumerate() {
            let to = |step: Step| move |state: &mut State| state.publishers[p].step = step;
            let objects = Model::objects(p);
            let creates_now = |copied: usize| match self.mistake {
                Some(Mistake::CreatesTheManifestFirst) => copied == 0,
                _ => copied == objects.len(),
            };
            match publisher.step {
                Step::Idle => add(format!("{p} looks"), &to(Step::Copying(last, 0))),
                Step::Copying(on, copied) if creates_now(copied) => {
                    let number = on + 1;
                    let manifest = Manifest { commit: publisher.commit, on, objects: objects.clone() };
                    let replaces = self.mistake == Some(Mistake::ReplacesAManifest);
                    if state.manifests.contains_key(&number) && !replaces {
                        add(format!("{p} is refused"), &to(Step::Refused));
                    } else {
                        for answer in [Step::Published(number), Step::Unanswered(number)] {
                            add(format!("{p} creates {number}: {answer:?}"), &|state| {
                                state.manifests.insert(number, manifest.clone());
                                if self.mistake == Some(Mistake::RemovesWhatItDoesNotList) {
                                    state.objects.retain(|object| objects.contains(object));
                                }
                                state.publishers[p].step = answer;
                            });
                        }
                    }
                }
                Step::Copying(on, copied) => add(format!("{p} copies"), &|state| {
                    state.objects.insert(objects[copied]);
                    state.publishers[p].step = Step::Copying(on, copied + 1);
                }),
                Step::Unanswered(number) => {
                    let is_its = state.manifests[&number].commit == publisher.commit
                        && self.mistake != Some(Mistake::TakesALostAnswerForAFailure);
                    let step = if is_its { Step::Published(number) } else { Step::Refused };
                    add(format!("{p} reads {number} back: {step:?}"), &to(step));
                }
                Step::Published(_) | Step::Refused if state.attempts < self.attempts => {
                    add(format!("{p} begins again"), &|state| {
                        state.publishers[p] = Publisher { step: Step::Idle, commit: state.attempts };
                        state.attempts += 1;
                    });
                }
                Step::Published(_) | Step::Refused => {}
            }
            let is_at_work = matches!(publisher.step, Step::Copying(..) | Step::Unanswered(_));
            if is_at_work && state.kills < self.kills && state.attempts < self.attempts {
                add(format!("{p} is killed"), &|state| {
                    state.publishers[p] = Publisher { step: Step::Idle, commit: state.attempts };
                    state.attempts += 1;
                    state.kills += 1;
                });
            }
        }
        match &state.reading {
            Some((manifest, read)) if *read < manifest.objects.len() => {
                let object = manifest.objects[*read];
                add(format!("the reader reads {object}"), &|state| {
                    state.missed |= !state.objects.contains(&object);
                    state.reading = Some((manifest.clone(), read + 1));
                });
            }
            _ if last > 0 => add(format!("the reader opens {last}"), &|state| {
                state.reading = Some((state.manifests[&last].clone(), 0));
            }),
            _ => {}
        }
        out
    }

    fn broken(&self, state: &State) -> Option<&'static str> {
        let has = |manifest: &Manifest| manifest.objects.iter().all(|object| state.objects.contains(object));
        let is_published = |commit| state.manifests.values().any(|manifest| manifest.commit == commit);
        let of = |wanted: fn(Step) -> bool| {
            state.publishers.iter().filter(move |p| wanted(p.step)).map(|p| p.commit)
        };
        if state.missed {
            return Some("a reader misses an object");
        }
        if !state.manifests.values().all(has) {
            return Some("a manifest lists an object that is not there");
        }
        if state.manifests.iter().any(|(number, manifest)| manifest.on + 1 != *number) {
            return Some("a dataset does not follow the one that it was made on");
        }
        if !of(|step| matches!(step, Step::Published(_))).all(is_published) {
            return Some("a dataset that was published is gone");
        }
        if of(|step| step == Step::Refused).any(is_published) {
            return Some("a publication that was refused is published");
        }
        None
    }
}

#[test]
fn no_reachable_state_of_a_publication_breaks_a_promise() {
    let model = Model { publishers: 2, attempts: 4, kills: 1, mistake: None };
    let found = search(model.first(), 2_000_000, |state| model.next(state), |state| model.broken(state));
    println!("{model:?}: {} states", found.states);
    assert_eq!((found.broken, found.is_complete), (None, true));
}

#[test]
fn every_mistake_in_a_publication_breaks_a_promise() {
    use Mistake::*;
    for mistake in
        [CreatesTheManifestFirst, ReplacesAManifest, TakesALostAnswerForAFailure, RemovesWhatItDoesNotList]
    {
        let model = Model { publishers: 2, attempts: 3, kills: 0, mistake: Some(mistake) };
        let found = search(model.first(), 2_000_000, |state| model.next(state), |state| model.broken(state));
        println!("{mistake:?}, {} states: {}\n", found.states, found.broken.as_deref().unwrap_or("nothing"));
        assert!(found.broken.is_some(), "{mistake:?}");
    }
}
