//! The HTML page: what it says, that it stands alone, and how it looks in a real browser.

use crate::run::{claims, quick};
use std::path::{Path, PathBuf};
use std::process::Command;
use theorycheck::claim::Verdict;
use theorycheck::report::html_page;

fn page() -> String {
    html_page(quick(), &theorycheck::papers())
}

/// The opening tags of a page, without their brackets.
fn tags(page: &str) -> Vec<&str> {
    page.split('<').skip(1).filter_map(|rest| rest.split('>').next()).filter(|tag| !tag.starts_with('/') && !tag.starts_with('!')).collect()
}

fn attribute<'a>(tag: &'a str, key: &str) -> Option<&'a str> {
    tag.split_once(&format!(" {key}=\"")).and_then(|(_, rest)| rest.split('"').next())
}

#[test]
fn the_page_says_what_was_found() {
    let page = page();
    assert_eq!(page, self::page(), "the same bytes");
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    for record in &quick().claims {
        assert!(page.contains(&format!("id=\"claim-{}\"", record.id.replace('/', "-"))), "{}", record.id);
        for part in record.parts.iter().filter(|part| part.verdict == Verdict::Refuted) {
            let witness = part.witness.as_ref().unwrap();
            assert!(page.contains(&escaped(&witness.instance)), "{}: {}", record.id, witness.instance);
            if let Some(token) = &witness.replay {
                assert!(page.contains(&escaped(token)), "{token}");
            }
        }
    }
    for claim in claims() {
        assert!(page.contains(&escaped(claim.statement)), "{}: the statement as text", claim.id);
    }
    // Findings come before the papers' sections.
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(at("id=\"findings\"") < at("id=\"paper-emp\"") && at("id=\"paper-emp\"") < at("id=\"ledger\""));
    assert!(!page.contains("id=\"wrong\""), "all is as declared");
    let mut run = quick().clone();
    run.claims[0].as_declared = false;
    run.claims[0].verdict = Verdict::Undecided;
    let page = html_page(&run, &theorycheck::papers());
    assert!(page.find("id=\"wrong\"").unwrap() < page.find("id=\"findings\"").unwrap(), "what is wrong comes first");
}

#[test]
fn the_page_stands_alone_and_can_be_reached_by_keyboard() {
    let page = page();
    let tags = tags(&page);
    let name = |tag: &str| tag.split([' ', '/']).next().unwrap_or_default().to_owned();
    assert!(!tags.iter().any(|tag| ["script", "iframe", "img", "object"].contains(&name(tag).as_str())));
    for tag in &tags {
        for key in ["src", "href"] {
            if let Some(target) = attribute(tag, key) {
                assert!(target.starts_with('#') || target == "data:,", "{tag} leaves the page");
            }
        }
    }
    assert!(!page.contains("url(") && !page.contains("@import"));
    let ids: Vec<&str> = tags.iter().filter_map(|tag| attribute(tag, "id")).collect();
    for target in tags.iter().filter_map(|tag| attribute(tag, "href")).filter_map(|href| href.strip_prefix('#')) {
        assert!(ids.contains(&target), "#{target} leads nowhere");
    }
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), ids.len(), "an id is there twice");
    // Each picture has words and numbers: an image role with a title and a description, and a table behind it.
    let pictures = tags.iter().filter(|tag| name(tag) == "svg").count();
    assert!(pictures >= 10, "{pictures}");
    assert_eq!(tags.iter().filter(|tag| name(tag) == "svg" && attribute(tag, "role") == Some("img")).count(), pictures);
    assert_eq!(page.matches("<desc>").count(), pictures);
    assert_eq!(page.matches("Data of this picture").count(), pictures);
    // What scrolls can be reached: a region with a name and a place in the order of keys.
    let scrolling: Vec<&&str> = tags.iter().filter(|tag| attribute(tag, "class") == Some("scroll")).collect();
    assert!(
        scrolling.iter().all(|tag| attribute(tag, "tabindex") == Some("0") && attribute(tag, "aria-label").is_some_and(|label| !label.is_empty()))
    );
    assert_eq!(page.matches("<table>").count(), scrolling.len());
    assert!(page.contains("<html lang=\"en\">") && page.contains("name=\"viewport\""));
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("@media print"));
}

/// Every element that needs it is closed, in order.
#[test]
fn the_page_is_well_formed() {
    let page = page();
    let mut open: Vec<String> = Vec::new();
    let void = ["meta", "link", "rect", "polyline", "polygon", "circle", "line"];
    for tag in page.split('<').skip(1).filter_map(|rest| rest.split('>').next()).filter(|tag| !tag.starts_with('!')) {
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap_or_default().to_owned();
        if tag.starts_with('/') {
            assert_eq!(open.pop().as_ref(), Some(&name), "</{name}>");
        } else if !tag.ends_with('/') && !void.contains(&name.as_str()) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file()))
}

/// The page in a headless browser at a width, with a probe behind its end; what the probe wrote, and what the console said.
fn looked_at(browser: &Path, folder: &Path, page: &str, width: u32) -> (String, String) {
    // A frame of the width asked for, since a browser's window has a least width; the probe tells what a reader would see.
    let probe = "<script>addEventListener('load',()=>{const root=document.documentElement;const wide=[...document.querySelectorAll('body *')].filter(e=>{const r=e.getBoundingClientRect();if(r.width===0||r.right<=innerWidth+1)return false;for(let p=e.parentElement;p;p=p.parentElement){const o=getComputedStyle(p).overflowX;if(o==='auto'||o==='hidden'||o==='scroll')return false}return true}).map(e=>e.tagName+'.'+e.className+' in '+(e.closest('[id]')||{}).id);const small=parseFloat(getComputedStyle(document.body).fontSize);parent.postMessage(JSON.stringify({inner:innerWidth,scroll:root.scrollWidth,wide:wide.slice(0,5),font:small,math:document.querySelectorAll('math').length,height:root.scrollHeight}),'*')})</script>";
    let inside = folder.join(format!("page-{width}.html"));
    std::fs::write(&inside, page.replace("</body>", &format!("{probe}</body>"))).unwrap();
    let outside = folder.join(format!("frame-{width}.html"));
    let frame = format!(
        "<!DOCTYPE html><title>frame</title><link rel=\"icon\" href=\"data:,\"><iframe src=\"page-{width}.html\" style=\"width:{width}px;height:800px;border:0\"></iframe><pre id=\"out\"></pre><script>addEventListener('message',e=>{{document.getElementById('out').textContent='PROBE'+e.data+'END'}})</script>"
    );
    std::fs::write(&outside, frame).unwrap();
    let profile = folder.join(format!("profile-{width}"));
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--enable-logging=stderr", "--v=0"])
        .args(["--allow-file-access-from-files", "--virtual-time-budget=20000", "--window-size=1200,900", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", outside.display()))
        .output()
        .expect("the browser starts");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let console: String = String::from_utf8_lossy(&output.stderr).lines().filter(|line| line.contains(":CONSOLE")).collect::<Vec<_>>().join("\n");
    let told = dom.split_once("PROBE").and_then(|(_, rest)| rest.split_once("END")).map_or(String::new(), |(told, _)| told.replace("&quot;", "\""));
    (told, console)
}

/// No console error, and no scrolling sideways on a phone of 380 px or on a desk. Where no browser is installed, the test says so and looks at nothing.
#[test]
fn a_browser_shows_the_page() {
    let Some(browser) = browser() else {
        eprintln!("SKIPPED: no chromium in PATH; the page was not looked at in a browser (theorycheck doctor says the same)");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = page();
    for width in [380, 1100] {
        let (told, console) = looked_at(&browser, folder.path(), &page, width);
        assert_eq!(console, "", "{width} px: the console is empty");
        let seen: serde_json::Value = serde_json::from_str(&told).unwrap_or_else(|error| panic!("{width} px: the probe said '{told}': {error}"));
        assert_eq!(seen["inner"], width);
        assert!(
            seen["scroll"].as_u64().unwrap() <= u64::from(width) && seen["wide"].as_array().unwrap().is_empty(),
            "{width} px scrolls sideways: {seen}"
        );
        assert!(seen["font"].as_f64().unwrap() >= 14.0 && seen["math"].as_u64().unwrap() >= 100, "{seen}");
    }
    // The probe can fail: something too wide, and an error.
    let spoiled = page.replacen("<main id=\"main\">", "<main id=\"main\"><p style=\"width:900px\">wide</p><script>undefined_function()</script>", 1);
    let (told, console) = looked_at(&browser, folder.path(), &spoiled, 380);
    let seen: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert!(seen["scroll"].as_u64().unwrap() > 380 && !seen["wide"].as_array().unwrap().is_empty(), "{seen}");
    assert!(console.contains("undefined_function"), "{console}");
}
