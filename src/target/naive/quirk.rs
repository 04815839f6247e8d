//! The ways in which a naive reader can be made wrong: each is a mistake of some real client.

use crate::model::Api;

/// Both APIs.
const BOTH: &[Api] = &[Api::AnthropicMessages, Api::OpenaiChat];
const ANTHROPIC: &[Api] = &[Api::AnthropicMessages];
const CHAT: &[Api] = &[Api::OpenaiChat];

/// Mistakes in framing, whatever the API.
const FRAMING: &[Quirk] = &[
    Quirk::DecodeUtf8PerChunk,
    Quirk::CrlfNotJoined,
    Quirk::SplitOnDoubleLfOnly,
    Quirk::BomKept,
    Quirk::CommentsAreData,
    Quirk::FirstDataLineOnly,
    Quirk::HugeLinesCut,
    Quirk::StraysDropped,
    Quirk::LastEventLost,
];

macro_rules! quirks {
    ($($variant:ident $name:literal $apis:ident $says:literal,)*) => {
        /// One mistake. Without one, a naive reader is the oracle; with one, it is a mutant.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Quirk {
            $(#[doc = $says] $variant,)*
        }

        impl Quirk {
            /// All of them, by concept: framing, routing, arguments, identity, ending, the rest.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name on the command line, lower-kebab.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What it does wrong, in one sentence.
            pub fn says(self) -> &'static str {
                match self {
                    $(Self::$variant => $says,)*
                }
            }

            /// True for a mistake that framing alone shows.
            pub fn is_framing(self) -> bool {
                FRAMING.contains(&self)
            }

            /// The APIs that it can be seen at.
            pub fn apis(self) -> &'static [Api] {
                match self {
                    $(Self::$variant => $apis,)*
                }
            }
        }
    };
}

quirks! {
    // Framing.
    DecodeUtf8PerChunk "decode-utf8-per-chunk" BOTH
        "Decodes each network read on its own, so a character cut between two reads is destroyed.",
    CrlfNotJoined "crlf-not-joined" BOTH
        "Takes a CR LF that is cut between two reads for two line ends, so an event ends too early.",
    SplitOnDoubleLfOnly "split-on-double-lf-only" BOTH
        "Splits events at two LFs and nothing else, so a stream with CR LF line ends holds no event.",
    BomKept "bom-kept" BOTH
        "Keeps a byte order mark, so the first field is not recognized.",
    CommentsAreData "comments-are-data" BOTH
        "Lets a comment line end the event that it stands in.",
    FirstDataLineOnly "first-data-line-only" BOTH
        "Takes only the first of several data lines of an event.",
    HugeLinesCut "huge-lines-cut" BOTH
        "Drops lines over 64 KiB, as a line scanner with a fixed buffer does.",
    IgnoreEventlessFrames "ignore-eventless-frames" ANTHROPIC
        "Ignores events without an event name, although their data says the type.",

    StraysDropped "strays-dropped" BOTH
        "Drops every line outside the grammar, and with it the failures that servers report there.",
    LastEventLost "last-event-lost" BOTH
        "Drops the last event if its blank line is missing.",

    // Which call a piece belongs to.
    KeyByName "key-by-name" BOTH
        "Keeps one call a tool name, so parallel calls of one tool are glued together.",
    TrustOnlyTheFirstId "trust-only-the-first-id" BOTH
        "Gives every piece of arguments to the first call.",
    NewestBlockOnly "newest-block-only" BOTH
        "Gives every piece of arguments to the call opened last, whatever its index.",
    MergeCallsOfEqualIndex "merge-calls-of-equal-index" BOTH
        "Keys calls by index alone, so a second call at a used index is glued to the first.",
    LoseTheCallInTheFinishingChunk "lose-the-call-in-the-finishing-chunk" CHAT
        "Looks at the finish reason of a chunk first and never reads the calls beside it.",
    ServerToolsAsCalls "server-tools-as-calls" ANTHROPIC
        "Takes calls that the provider runs itself for calls of the client.",

    // Arguments.
    DropTheLastDelta "drop-the-last-delta" BOTH
        "Loses the last piece of each call's arguments.",
    ParseEachFragment "parse-each-fragment" BOTH
        "Parses each piece of arguments on its own; the last that parses wins, otherwise it is `{}`.",
    LoseStartInput "lose-start-input" ANTHROPIC
        "Ignores the input of the block start, so a call without deltas runs on `{}`.",
    EmptyObjectForMalformed "empty-object-for-malformed" BOTH
        "Replaces arguments that are no JSON object by `{}` and says nothing.",
    DoubleEncodedUnwrappedSilently "double-encoded-unwrapped-silently" BOTH
        "Unwraps arguments that are JSON text inside a JSON string without a mark.",
    FloatsForNumbers "floats-for-numbers" BOTH
        "Reads the numbers in arguments into doubles.",
    SortKeys "sort-keys" BOTH
        "Sorts the keys of arguments; only a comparison of the exact text shows it.",

    // Ids and names.
    IdsKeptAsTheyCame "ids-kept-as-they-came" BOTH
        "Leaves missing ids empty and duplicate ids alone.",
    NamesAppended "names-appended" CHAT
        "Appends every name that comes, so a repeated name is doubled.",

    // How the turn ends.
    RunTruncatedCalls "run-truncated-calls" BOTH
        "Takes a call that the output limit cut for a closed one.",
    IncompleteCallsRun "incomplete-calls-run" BOTH
        "Takes a call that was open when the stream broke for a closed one.",
    EofIsSuccess "eof-is-success" BOTH
        "Takes the end of the bytes for a clean end of the answer.",
    IgnoreErrors "ignore-errors" BOTH
        "Skips events that report a failure.",
    KeepCallsOnRefusal "keep-calls-on-refusal" BOTH
        "Hands out the calls of an answer that was refused.",
    StopFromTheReason "stop-from-the-reason" BOTH
        "Believes the provider's reason, so `stop` beside calls is no tool use.",
    SurplusError "surplus-error" BOTH
        "Reports an error where there is none.",

    // The rest of the turn.
    OrderByCompletion "order-by-completion" BOTH
        "Lists calls in the order in which they were finished.",
    LastChoiceWins "last-choice-wins" CHAT
        "Hands out the last of several choices only.",
    TextLostBesideCalls "text-lost-beside-calls" BOTH
        "Drops the text of an answer that holds calls.",
    DropSignatures "drop-signatures" BOTH
        "Drops the signatures of thinking and of calls.",
    UsageSummed "usage-summed" BOTH
        "Adds up the token counts of all events, although they are running totals.",
}

/// The mistake that a reader makes, if any.
#[derive(Debug, Clone, Copy)]
pub(super) struct Switch(pub(super) Option<Quirk>);

impl Switch {
    /// True if the reader makes this mistake.
    pub(super) fn on(self, quirk: Quirk) -> bool {
        self.0 == Some(quirk)
    }
}
