//! The games of the qualifier as the archive of a gameroom would list them.

use super::expected::fields;

/// When the qualifying period opens: 2015-01-02T00:00Z.
const OPENS: i64 = 1_420_156_800;

const HEAD: &str = "id\twplayerid\tbplayerid\twusername\tbusername\twtitle\tbtitle\twcountry\tbcountry\twrating\tbrating\t\
                    wratingk\tbratingk\twtype\tbtype\tevent\tsite\ttimecontrol\tpostal\tstartts\tendts\tresult\ttermination\t\
                    plycount\tmode\trated\tcorrupt\tmovelist\tevents\n";

const MOVES: &str = "1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
                     1b ha7 db7 cc7 ed7 me7 cf7 dg7 hh7 ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8\\n2w Ee2n\\n2b ed7s\\n3w";

/// The rows of the games that are listed, with a head; who entered is given in that order.
pub fn rows(listed: &str, entrants: &[String]) -> String {
    let mut rows = HEAD.to_owned();
    let mut id = 300_000;
    let mut played = vec![0; entrants.len()];
    for line in listed.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let [player, benchmark, games] = fields(line);
        let entry = entrants.iter().position(|entrant| entrant == player).expect("somebody who entered");
        for game in games.as_bytes().chunks(2) {
            id += 1;
            rows += &row(id, player, benchmark, game, entry as i64, played[entry]);
            played[entry] += 1;
        }
    }
    rows
}

fn row(id: u32, player: &str, benchmark: &str, game: &[u8], entry: i64, nth: i64) -> String {
    let start = OPENS + 600 * (entry + 1) + 11 * 3_600 * nth;
    let end = start + 60 * (45 + 5 * (nth % 7));
    let gold = game[0] == b'g';
    let won = game[1].eq_ignore_ascii_case(&b'W');
    let rated = u8::from(game[1].is_ascii_uppercase());
    let (white, black) = if gold { (player, benchmark) } else { (benchmark, player) };
    let result = if gold == won { 'w' } else { 'b' };
    format!(
        "{id}\t\t\t{white}\t{black}\t\t\tUS\tDE\t1500\t1600\t30\t120\tb\tb\tCasual game\tOver the Net\t2/2/100/10/8\t0\t{start}\t\
         {end}\t{result}\tg\t3\tIGS\t{rated}\t0\t{MOVES}\t\n"
    )
}
