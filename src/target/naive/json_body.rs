//! Bodies that are JSON: a sequence of values, or the elements of an array (decisions 56 and 57).

use serde_json::Value;

use super::sse::{Event, Form};

/// The events of a body that begins with a bracket.
pub(super) fn events(text: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    let mut rest = text.trim_ascii_start();
    // Only the array that the body begins with is taken apart.
    let mut in_array = rest.starts_with(b"[");
    rest = rest.strip_prefix(b"[").unwrap_or(rest).trim_ascii_start();
    while let Some((first, after)) = rest.split_first() {
        let taken = match first {
            b',' | b']' if in_array => {
                in_array = *first == b',';
                rest = after.trim_ascii_start();
                continue;
            }
            b'{' | b'[' => length(rest),
            // No value: its line is an event that nobody can read.
            _ => rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')),
        };
        let (data, after) = rest.split_at_checked(taken.unwrap_or(rest.len())).unwrap_or((rest, &[]));
        events.push(Event {
            form: Form::Body,
            name: String::new(),
            data: data.trim_ascii_end().to_vec(),
            cut: taken.is_none(),
        });
        rest = after.trim_ascii_start();
    }
    if in_array {
        events.push(Event { form: Form::OpenArray, name: String::new(), data: Vec::new(), cut: true });
    }
    events
}

/// How many bytes the value at the beginning has; `None` if its end did not come.
fn length(text: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for (at, byte) in text.iter().enumerate() {
        if in_string {
            in_string = escaped || *byte != b'"';
            escaped = !escaped && *byte == b'\\';
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The same events as a reader sees them that takes each network read of an array for whole elements.
pub(super) fn events_of_reads(body: &[&[u8]], whole: Vec<Event>) -> Vec<Event> {
    let whole_elements = |piece: &&[u8]| {
        let text = String::from_utf8_lossy(piece).trim().to_owned();
        let text = text.strip_prefix(['[', ',']).unwrap_or(&text);
        let text = text.strip_suffix([']', ',']).unwrap_or(text);
        let list = format!("[{text}]");
        serde_json::from_str::<Vec<Value>>(&list).is_ok().then(|| events(list.as_bytes()))
    };
    let end = whole.into_iter().filter(|event| event.form == Form::OpenArray);
    body.iter().filter_map(whole_elements).flatten().chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sse::Form;
    use super::{events, events_of_reads};

    fn read(text: &str) -> Vec<String> {
        let show = |event: super::Event| match event.form {
            Form::OpenArray => "open".to_owned(),
            _ => String::from_utf8(event.data).unwrap() + if event.cut { " cut" } else { "" },
        };
        events(text.as_bytes()).into_iter().map(show).collect()
    }

    #[test]
    fn values_stand_alone_in_lines_and_in_an_array() {
        assert_eq!(read(" \n{\"a\":\n\n1}\n"), ["{\"a\":\n\n1}"]);
        assert_eq!(read("{\"a\":1}\r\n{\"b\":\"}\\\"{\"} {}"), ["{\"a\":1}", "{\"b\":\"}\\\"{\"}", "{}"]);
        assert_eq!(read("[{\"a\":1}\n,\r\n{},[{}]]\n"), ["{\"a\":1}", "{}", "[{}]"]);
        assert_eq!(read("[]"), [""; 0]);
        assert_eq!(read("[{}]\n[{},{}]"), ["{}", "[{},{}]"]);
        assert_eq!(read("{}\n[{}"), ["{}", "[{} cut"]);
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(read("{\"a\":1}\n{\"b\":"), ["{\"a\":1}", "{\"b\": cut"]);
        assert_eq!(read("[{\"a\":1},"), ["{\"a\":1}", "open"]);
        assert_eq!(read("[{\"a\":\"\\"), ["{\"a\":\"\\ cut", "open"]);
        assert_eq!(read("["), ["open"]);
    }

    #[test]
    fn text_in_the_place_of_a_value_goes_to_the_end_of_its_line() {
        assert_eq!(read("{}\nno, ]\r\n{}"), ["{}", "no, ]", "{}"]);
        assert_eq!(read("{},\n] \t"), ["{}", ",", "] cut"]);
        assert_eq!(read("[1,2]"), ["1,2] cut", "open"]);
    }

    #[test]
    fn reads_that_are_no_whole_elements_are_lost() {
        let read = |pieces: &[&str]| {
            let body: Vec<&[u8]> = pieces.iter().map(|piece| piece.as_bytes()).collect();
            events_of_reads(&body, events(&body.concat())).len()
        };
        assert_eq!(read(&["[{},{}]"]), 2);
        assert_eq!(read(&["[{}", ",{}", "]"]), 2);
        assert_eq!(read(&["[{}", ",{", "}]"]), 1);
    }
}
