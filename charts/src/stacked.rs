//! A chart with a lower one on the same x axis: evaluations of a game, and times per turn below.

use crate::chart::{Axis, Chart, Series};

#[derive(Debug, Clone, PartialEq)]
pub struct Stacked {
    /// With title, x axis and source of both.
    pub chart: Chart,
    pub lower: Lower,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Lower {
    pub y: Axis,
    pub series: Vec<Series>,
    /// Index of the first colour: 0 if each series has the colour of the corresponding one above.
    pub first: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::tests::sample;
    use crate::chart::{Point, Scale, Shape};
    use crate::file::Drawn as _;
    use crate::picture::Picture;

    fn stacked() -> Stacked {
        let points = vec![Point::new(1.0, 30.0), Point::new(4.0, 75.0)];
        let series = vec![Series { name: "time".to_owned(), shape: Shape::Bars, points }];
        Stacked { chart: sample(), lower: Lower { y: Axis::new("time used", Scale::Span), series, first: 2 } }
    }

    #[test]
    fn both_charts_stand_on_one_sheet_and_share_the_axis() {
        let svg = String::from_utf8(stacked().draw(Picture::Svg).unwrap()).unwrap();
        assert!(svg.starts_with("<svg width=\"1000\" height=\"770\""), "{svg}");
        let said = |words: &str| svg.lines().filter(|line| line.trim() == words).count();
        for words in ["worth (rabbits)", "time used", "turn", "time", "60 s", "material"] {
            assert_eq!(said(words), 1, "{words}: {svg}");
        }
        assert_eq!(stacked().draw(Picture::Png).unwrap(), stacked().draw(Picture::Png).unwrap());
    }

    #[test]
    fn the_figures_of_the_lower_chart_follow_under_a_name_of_their_own() {
        let data = stacked().data().unwrap();
        assert!(data.ends_with("below,time,,1,30,,,\nbelow,time,,4,75,,,\n"), "{data}");
        assert!(data.starts_with(&sample().data().unwrap()), "{data}");
    }

    #[test]
    fn without_points_above_there_is_no_chart_and_without_any_below_there_is() {
        let mut one = stacked();
        one.lower.series.clear();
        assert!(one.draw(Picture::Svg).is_ok());
        one.chart.series.clear();
        assert!(one.draw(Picture::Svg).is_err());
    }
}
