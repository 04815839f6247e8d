//! What a rule found.

use crate::json::{Style, Writer};
use crate::providers::{Rule, Severity};

/// A breach of a rule.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// How grave it is here.
    pub severity: Severity,
    /// RFC 6901 pointer into the body; `header:` and a name for a header, `path` for the path.
    pub pointer: String,
    /// What is wrong, in a sentence.
    pub message: String,
}

/// Findings as one JSON array: `[{rule, severity, file, pointer, message, fix}]`, `file` where given.
pub fn write_findings(findings: &[Finding], file: Option<&str>, style: Style) -> String {
    let mut writer = Writer::new(style);
    writer.array(|w| {
        for finding in findings {
            w.object(|w| {
                w.member("rule", finding.rule.id);
                w.member("severity", finding.severity.name());
                w.optional("file", file);
                w.member("pointer", &finding.pointer);
                w.member("message", &finding.message);
                w.member("fix", finding.rule.fix);
            });
        }
    });
    writer.finish()
}
