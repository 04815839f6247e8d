//! The command line as a user meets it.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use assert_cmd::Command;

fn toolwire() -> Command {
    let mut command = Command::cargo_bin("toolwire").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1").env_remove("GITHUB_ACTIONS");
    command
}

/// Exit code, stdout and stderr as one text.
fn ran(args: &[&str], stdin: &str) -> String {
    let output = toolwire().args(args).write_stdin(stdin).output().unwrap();
    format!(
        "exit {}\n--- stdout\n{}--- stderr\n{}",
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap()
    )
}

const STREAM: &str = "corpus/openai-chat/parallel-calls-all-at-index-zero/1.response.sse";

#[test]
fn decode_prints_the_turn() {
    insta::assert_snapshot!(ran(&["decode", "--api", "openai-chat", STREAM], ""));
}

#[test]
fn decode_shows_what_was_wrong() {
    let stream = concat!(
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"null\",\"function\":{\"name\":\"f\",\"arguments\":\"{'a':1}\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]"
    );
    insta::assert_snapshot!(ran(&["decode", "--api", "openai-chat"], stream));
}

#[test]
fn decode_gives_the_callers_names_back() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.into_os_string().into_string().unwrap()
    };
    let neutral = r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"name":"bash"}],"options":{"oauthToolNames":true}}"#;
    let own = r#"{"model":"m","max_tokens":9,"messages":[],"tools":[{"name":"Bash","input_schema":{}}]}"#;
    let body = r#"{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"a","name":"Bash","input":{}}],"stop_reason":"tool_use"}"#;
    for (path, name) in [(file("neutral.json", neutral), "bash"), (file("own.json", own), "Bash")] {
        let output = ran(&["decode", "--api", "anthropic-messages", "--request", &path], body);
        assert!(output.contains(&format!("\"name\": \"{name}\"")), "{output}");
        assert!(!output.contains("was not declared"), "{output}");
    }
}

const REQUEST: &str = r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"name":"docs/read","parameters":{}},{"name":"bad","parameters":[]}]}"#;

#[test]
fn encode_prints_the_request() {
    insta::assert_snapshot!(ran(&["encode", "--api", "mistral-chat"], REQUEST));
    let body = ran(&["encode", "--api", "mistral-chat", "--body", "-"], REQUEST);
    assert!(body.contains("stdout\n{\"model\":\"m\",") && body.contains("]}--- stderr\n"), "{body}");
}

#[test]
fn encode_says_why_a_request_is_not_sent() {
    let refused = REQUEST.replace(r#""tools""#, r#""toolChoice":{"name":"bad"},"tools""#);
    let named = |options: &str| REQUEST.replace(r#""tools""#, &format!(r#""options":{options},"tools""#));
    let all = [
        ran(&["encode", "--api", "openai-chat"], &refused),
        ran(&["encode", "--api", "openai-chat/nowhere"], REQUEST),
        ran(&["encode", "--api", "openai-chat"], &named(r#"{"strict":1}"#)),
        ran(&["encode", "--api", "openai-chat"], &named(r#"{"cache":"all"}"#)),
        ran(&["encode", "--api", "openai-chat/groq"], &named(r#"{"dialect":"xai"}"#)),
        ran(&["encode", "--api", "openai-chat"], "{"),
        ran(&["encode", "--api", "openai"], REQUEST),
        ran(&["encode", "--api", "openai-chat", "no-such-file.json"], ""),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn mistakes_are_explained() {
    let cases: &[(&str, &[&str])] = &[
        ("unknown API", &["decode", "--api", "anthropic", STREAM]),
        ("API to come", &["decode", "--api", "cohere-chat", STREAM]),
        ("missing file", &["decode", "--api", "openai-chat", "no-such-file.sse"]),
        ("directory", &["decode", "--api", "openai-chat", "corpus"]),
        ("unknown chunking", &["decode", "--api", "openai-chat", "--chunking", "bytes", STREAM]),
        ("empty input", &["decode", "--api", "openai-chat", "-"]),
        ("unknown case", &["run", "--case", "openai-chat/paralel-calls"]),
        ("nothing selected", &["run", "--case", "framing/*", "--level", "info", "--feature", "crlf-split"]),
        ("unknown feature", &["run", "--feature", "no-such-feature"]),
        ("malformed version", &["run", "--max-since", "2026.1"]),
        ("corpus without a case", &["run", "--corpus", "docs"]),
        ("unknown target", &["run", "--target", "openai-python"]),
        ("unknown report", &["run", "--report", "report.txt"]),
        ("bad shard", &["run", "--shard", "hash:5/4"]),
        ("missing corpus", &["run", "--corpus", "no-such-folder"]),
        ("missing expectations", &["run", "--expectations", "no-such-file.toml"]),
        ("unknown case to show", &["show", "openai-chat/no-such"]),
    ];
    let all: Vec<String> = cases.iter().map(|(name, args)| format!("## {name}\n{}", ran(args, ""))).collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn help_is_short() {
    insta::assert_snapshot!("help", ran(&["--help"], ""));
}

#[rstest::rstest]
fn help_of_every_command_has_examples(
    #[values(
        "run",
        "decode",
        "encode",
        "lint",
        "rules",
        "list",
        "show",
        "mutants",
        "new",
        "expect",
        "report",
        "completions"
    )]
    command: &str,
) {
    let help = ran(&[command, "--help"], "");
    assert!(help.starts_with("exit 0") && help.contains("Examples:\n  "), "{command}: {help}");
}

const BODY: &str = r#"{"model":"m","max_tokens":16,"tools":[],"messages":[{"role":"user","content":"go"},
    {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f\u202e","input":"{}"}]},
    {"role":"user","content":[{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"a","content":"1"}]}]}"#;

#[test]
fn lint_shows_place_rule_and_remedy() {
    insta::assert_snapshot!(ran(&["lint", "--request", "-", "--api", "anthropic-messages"], BODY));
}

#[test]
fn lint_exits_with_one_for_errors_alone() {
    let code = |args: &[&str], body: &str| {
        let all: Vec<&str> = ["lint", "--request", "-"].iter().chain(args).copied().collect();
        ran(&all, body).lines().next().unwrap().to_owned()
    };
    let api = ["--api", "anthropic-messages"];
    assert_eq!(code(&api, BODY), "exit 1");
    let allowed = ["--api", "anthropic-messages", "--allow", "ant-q-052", "--allow", "ANT-Q-056"];
    assert_eq!(code(&allowed, BODY), "exit 0");
    let strict = r#"{"model":"m","messages":[],"tools":[{"type":"function","function":{"name":"a.b","strict":true}}]}"#;
    assert_eq!(code(&["--api", "openai-chat"], strict), "exit 1");
    assert_eq!(code(&["--api", "openai-chat/x"], strict), "exit 0");
    assert_eq!(code(&["--api", "openai-chat", "--profile", "compat"], strict), "exit 0");
    assert_eq!(code(&["--api", "openai-chat/x", "--deny", "warning"], strict), "exit 1");
    assert_eq!(code(&["--api", "openai-chat/x", "--profile", "strict"], strict), "exit 1");
    assert_eq!(code(&["--api", "openai-chat", "--allow", "NO-001"], strict), "exit 2");
    assert_eq!(code(&["--api", "openai-chat"], "{"), "exit 2");
}

#[test]
fn lint_reads_a_whole_request_too() {
    let sent = r#"{"method":"POST","path":"/v1/messages","headers":{"X-Api-Key":"k","authorization":"Bearer t"},
        "body":"{\"model\":\"m\",\"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}"}"#;
    let output = ran(&["lint", "--request", "-", "--api", "anthropic-messages", "--format", "json"], sent);
    let json: serde_json::Value =
        serde_json::from_str(output.split("--- stdout\n").nth(1).unwrap().split("--- stderr").next().unwrap()).unwrap();
    let rules: Vec<&str> = json.as_array().unwrap().iter().map(|finding| finding["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["ANT-Q-001", "ANT-Q-003"]);
}

#[test]
fn rules_are_listed_and_shown() {
    insta::assert_snapshot!(ran(&["rules", "oai-c-014"], ""));
    assert!(ran(&["rules", "NO-001"], "").starts_with("exit 2"));
    let output = ran(&["rules", "--format", "json"], "");
    let json: serde_json::Value =
        serde_json::from_str(output.split("--- stdout\n").nth(1).unwrap().split("--- stderr").next().unwrap()).unwrap();
    for rule in json.as_array().unwrap() {
        for key in ["id", "severity", "statement", "source", "scope"] {
            assert!(rule[key].as_str().is_some_and(|text| !text.is_empty()), "{rule}");
        }
    }
}

#[test]
fn a_target_that_cannot_be_started_has_a_code_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("toolwire.toml");
    std::fs::write(&config, "[targets.mine]\nadapter = [\"no-such-program\"]\n").unwrap();
    let output = ran(&["run", "--config", config.to_str().unwrap(), "--target", "mine"], "");
    assert!(output.starts_with("exit 3") && output.contains("`mine`"), "{output}");
    // A mistake in what was typed counts before it.
    let config = config.to_str().unwrap();
    assert!(ran(&["run", "--config", config, "--target", "mine", "--target", "no-such"], "").starts_with("exit 2"));
    assert!(ran(&["run", "--config", config, "--target", "mine", "--corpus", "no-such"], "").starts_with("exit 2"));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let script = format!("{} list | head -1", assert_cmd::cargo::cargo_bin("toolwire").display());
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("anthropic-messages/"));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("error"), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn chunking_makes_no_difference() {
    let whole = ran(&["decode", "--api", "openai-chat", STREAM], "");
    for chunking in ["event", "line", "byte", "cut", "cut:3", "seed:9", "at:7,99"] {
        assert_eq!(whole, ran(&["decode", "--api", "openai-chat", "--chunking", chunking, STREAM], ""), "{chunking}");
    }
}

#[test]
fn a_mutant_is_red_and_its_failure_is_explained() {
    let args = [
        "run",
        "--target",
        "mutant:merge-calls-of-equal-index",
        "--case",
        "openai-chat/parallel-calls-all-at-index-zero#chunking=whole",
        "--strict",
    ];
    let output = ran(&args, "");
    let settings = {
        let mut settings = insta::Settings::clone_current();
        settings.add_filter(r"in \d+(\.\d+)? (ms|µs|s)", "in [time]");
        settings
    };
    settings.bind(|| insta::assert_snapshot!(output));
}

#[test]
fn a_new_case_runs_in_a_corpus_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let corpus = dir.path().join("corpus");
    let corpus = corpus.to_str().unwrap();
    let created = ran(&["new", "openai-chat/mine", "--corpus", corpus, "--from", STREAM], "");
    assert!(created.starts_with("exit 0"), "{created}");
    let first = ran(&["run", "--corpus", corpus], "");
    assert!(first.starts_with("exit 0") && first.contains("note: 1 case still says TODO"), "{first}");
    let kinds = r#"{"kinds":[{"id":"k","scope":"calls","title":"t","says":"s"}]}"#;
    std::fs::write(dir.path().join("corpus/kinds.json"), kinds).unwrap();
    std::fs::write(dir.path().join("corpus/VERSION"), "2027.03\n").unwrap();
    let untagged = ran(&["run", "--corpus", corpus], "");
    assert!(untagged.starts_with("exit 2") && untagged.contains("--coverage` shows the kinds (at /features)"));
    let unnamed = ran(&["new", "openai-chat/other", "--corpus", corpus], "");
    assert!(unnamed.starts_with("exit 2") && unnamed.contains("--kind, such as k (`toolwire list"), "{unnamed}");
    let unknown = ran(&["new", "openai-chat/other", "--corpus", corpus, "--kind", "id-missing"], "");
    assert!(unknown.starts_with("exit 2") && unknown.contains("unknown fault kind `id-missing`"), "{unknown}");
    let other = ran(&["new", "openai-chat/other", "--corpus", corpus, "--kind", "k"], "");
    assert!(other.starts_with("exit 0"), "{other}");
    let other = std::fs::read_to_string(dir.path().join("corpus/openai-chat/other/case.json")).unwrap();
    assert!(other.contains("\"since\": \"2027.03\"") && other.contains("\"k\""), "{other}");
    std::fs::remove_file(dir.path().join("corpus/kinds.json")).unwrap();
    assert!(ran(&["new", "openai-chat/mine", "--corpus", corpus], "").starts_with("exit 2"), "it is there already");
    let case = std::path::Path::new(corpus).join("openai-chat/mine/case.json");
    let broken = std::fs::read_to_string(&case).unwrap().replace("call_b", "call_x");
    std::fs::write(&case, broken).unwrap();
    assert!(ran(&["run", "--corpus", corpus, "--strict"], "").starts_with("exit 1"));
    std::fs::write(&case, "{\n  \"titel\": 1\n}").unwrap();
    let error = ran(&["run", "--corpus", corpus], "");
    assert!(
        error.starts_with("exit 2") && error.contains("openai-chat/mine/case.json:2: unknown key `titel`"),
        "{error}"
    );
}

#[test]
fn framing_is_selected_like_an_api() {
    let output = ran(&["list", "--api", "framing"], "");
    let cases = output.split("--- stdout\n").nth(1).unwrap().split("--- stderr").next().unwrap();
    assert!(cases.lines().count() > 5 && cases.lines().all(|line| line.starts_with("framing/")), "{output}");
    assert!(ran(&["run", "--api", "framing", "--tier", "standard"], "").starts_with("exit 0"));
    assert!(ran(&["run", "--max-since", "2026.11"], "").starts_with("exit 4"));
}

#[test]
fn shards_and_their_merged_report_are_the_whole() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let selection = ["run", "--api", "anthropic-messages", "--tier", "standard"];
    let report = |extra: &[&str], file: &str| {
        let path = path(file);
        let args: Vec<&str> = selection.iter().chain(extra).copied().chain(["--report", &path]).collect();
        assert!(ran(&args, "").starts_with("exit 0"));
    };
    report(&[], "whole.jsonl");
    report(&["--shard", "hash:1/3"], "1.jsonl");
    report(&["--shard", "hash:2/3"], "2.jsonl");
    report(&["--shard", "hash:3/3"], "3.jsonl");
    let merged = path("merged.jsonl");
    let parts = [path("1.jsonl"), path("2.jsonl"), path("3.jsonl")];
    let merge = ["report", "merge", &parts[0], &parts[1], &parts[2], "-o", &merged];
    assert!(ran(&merge, "").starts_with("exit 0"), "{}", ran(&merge, ""));
    let diff = ran(&["report", "diff", &path("whole.jsonl"), &merged], "");
    assert!(diff.starts_with("exit 0"), "{diff}");
    let lines = |file: &str| {
        let text = std::fs::read_to_string(path(file)).unwrap();
        let mut cases: Vec<String> = text
            .lines()
            .filter(|line| line.contains("\"type\":\"case\""))
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
            .map(|case| format!("{} {} {}", case["case"], case["permutation"], case["verdict"]))
            .collect();
        cases.sort();
        cases
    };
    assert_eq!(lines("whole.jsonl"), lines("merged.jsonl"));
}

#[test]
fn expectations_excuse_what_they_name_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("expectations.toml");
    let with = |entries: &str, strict: bool| {
        std::fs::write(&file, entries).unwrap();
        let mut args = vec![
            "run",
            "--target",
            "mutant:usage-summed",
            "--api",
            "anthropic-messages",
            "--tier",
            "standard",
            "--expectations",
        ];
        args.push(file.to_str().unwrap());
        if strict {
            args.push("--strict");
        }
        ran(&args, "")
    };
    assert!(with("", true).starts_with("exit 1"));
    let entry = |case: &str, status: &str| {
        format!(
            "[[expect]]\ntarget = \"mutant:usage-summed\"\ncase = \"{case}\"\nstatus = \"{status}\"\nreason = \"adds up totals\"\n"
        )
    };
    let all = with(&entry("anthropic-messages/**", "flaky"), true);
    assert!(all.starts_with("exit 0"), "{all}");
    let unexpected = with(&entry("anthropic-messages/**", "fail"), false);
    assert!(unexpected.starts_with("exit 1") && unexpected.contains("unexpected"), "{unexpected}");
    let stale = with(&(entry("anthropic-messages/**", "flaky") + &entry("openai-chat/no-such-*", "fail")), true);
    assert!(stale.starts_with("exit 1") && stale.contains("no-such-"), "{stale}");
    let broken = with("[[expect]]\ntarget = \"x\"\ncase = \"a/b\"\nstatus = \"failed\"\nreason = \"r\"\n", false);
    assert!(broken.starts_with("exit 2") && broken.contains("expectations.toml:4"), "{broken}");
}
