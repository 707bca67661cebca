//! Pictures: the papers' figures and those of answers, by the command line.

use crate::run::command;
use serde_json::Value;
use theorycheck::Exit;

/// The parsed values of a series of a figure.
fn series(figure: &Value, index: usize) -> Vec<Vec<f64>> {
    let number = |value: &Value| value.as_str().and_then(|text| text.parse().ok()).expect("a number");
    figure["series"][index]["values"].as_array().unwrap().iter().map(|point| point.as_array().unwrap().iter().map(number).collect()).collect()
}

fn figure(paper: &str) -> Value {
    let plotted = command(&["plot", paper, "--json"], "");
    assert_eq!(plotted.exit, Exit::Success, "{}", plotted.messages);
    serde_json::from_str(&plotted.output).unwrap()
}

#[test]
fn every_figure_is_drawn_and_says_what_it_shows() {
    let mut drawn = 0;
    for offer in theorycheck::papers().iter().filter(|offer| offer.figure.is_some()) {
        let slug = offer.paper.slug;
        let plotted = command(&["plot", slug], "");
        assert_eq!((plotted.exit, plotted.messages.as_str()), (Exit::Success, ""), "{slug}");
        assert_eq!(plotted.output, command(&["plot", slug], "").output, "{slug}: the same bytes");
        let svg = &plotted.output;
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("<title>") && svg.contains("role=\"img\""), "{slug}");
        assert!(!svg.contains("NaN") && !svg.contains("inf\"") && !svg.contains("no values to draw"), "{slug}");
        let figure = figure(slug);
        assert!(figure["description"].as_str().is_some_and(|text| text.len() > 40), "{slug}: words for those who do not see it");
        for index in 0..figure["series"].as_array().unwrap().len() {
            let points = series(&figure, index);
            assert!(!points.is_empty() && points.windows(2).all(|pair| pair[0][0] <= pair[1][0]), "{slug}: series {index}: x ascends");
        }
        drawn += 1;
    }
    assert!(drawn >= 3, "{drawn}");
}

#[test]
fn the_figures_show_what_the_claims_say() {
    // emp: the power laws stand above the printed floor 1/200 (nu + (200 - nu) sqrt((199 - nu)/(199 (nu + 1)))), the spikes below it.
    let emp = figure("emp");
    let floor = |x: f64| {
        let nu = (x * 200.0).round();
        (nu + (200.0 - nu) * ((199.0 - nu) / (199.0 * (nu + 1.0))).sqrt()) / 200.0
    };
    let tails = series(&emp, 1);
    assert!(tails.len() > 20 && tails.iter().all(|point| point[0] > 0.999 || point[1] >= floor(point[0])));
    assert!(series(&emp, 2).iter().all(|point| (point[0] - 0.005).abs() < 1e-12 && point[1] < floor(point[0])));
    // moe: least at the end of [1, 64] for c1 = c2, at c2 M/c1 = 16 for c1 = 4 c2 and at its other end for c1 = 64 c2.
    let moe = figure("moe");
    for (index, best) in [64.0, 16.0, 1.0].into_iter().enumerate() {
        let line = series(&moe, index);
        let least = line.iter().min_by(|a, b| a[1].total_cmp(&b[1])).unwrap();
        // The points are 2% apart.
        assert!((least[0] / best - 1.0).abs() < 0.03, "{least:?}, not {best}");
    }
    // adagrad: all exponents are 1/4 at p = 2; AdaGrad's own is 0 at 4/3, so its line starts there (to a step of 1/100).
    let adagrad = figure("adagrad");
    for index in 0..4 {
        let line = series(&adagrad, index);
        let last = &line[line.len() - 1];
        assert_eq!((last[0], last[1]), (2.0, 0.25));
    }
    assert!((series(&adagrad, 2)[0][0] - 4.0 / 3.0).abs() < 0.01);
}

#[test]
fn a_figure_goes_to_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let plotted = command(&["plot", "moe", "--out", &folder.path().display().to_string()], "");
    assert_eq!((plotted.exit, plotted.output.as_str()), (Exit::Success, ""));
    assert_eq!(std::fs::read_to_string(folder.path().join("moe.svg")).unwrap(), command(&["plot", "moe"], "").output);
}

#[test]
fn an_answer_with_a_picture_is_drawn_beside_its_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answer.svg");
    let file = path.display().to_string();
    let moe = ["calc", "moe", "--experts", "64", "--budget", "1000000", "--cost-per-expert", "1", "--c1", "4", "--c2", "1"];
    let gradients: String = (1..200).map(|rank| format!("{}/{rank} ", 1000 * rank % 7919 + 1)).collect();
    let cases: [(&[&str], &str, &str); 3] = [
        (&moe, "", "best K = 16"),
        (&["calc", "emp", "bound", "10", "5"], "", "floor that holds at nu = 5"),
        (&["calc", "adagrad", "hill", "-"], &gradients, "power law with index"),
    ];
    for (arguments, input, shown) in cases {
        let plain = command(arguments, input);
        assert_eq!(plain.exit, Exit::Success, "{arguments:?}: {}", plain.messages);
        let drawn = command(&[arguments, &["--plot", &file]].concat(), input);
        assert_eq!((drawn.exit, &drawn.output), (Exit::Success, &plain.output), "{arguments:?}: {}", drawn.messages);
        assert!(std::fs::read_to_string(&path).unwrap().contains(shown), "{arguments:?}");
    }
}
