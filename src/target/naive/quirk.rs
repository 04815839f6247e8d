//! The ways in which a naive reader can be made wrong: each is a mistake of some real client.

use super::super::quirks::quirks;
use crate::model::Api;

/// Every API.
const EVERY: &[Api] = Api::ALL;
/// Those where the pieces of several calls may alternate.
const INTERLEAVED: &[Api] = &[Api::AnthropicMessages, Api::OpenaiChat, Api::OpenaiResponses, Api::MistralChat];
/// Those that may answer with several choices.
const WITH_CHOICES: &[Api] = &[Api::OpenaiChat, Api::Gemini, Api::MistralChat];
/// Those whose calls of the provider stand beside the client's.
const WITH_SERVER_CALLS: &[Api] = &[Api::AnthropicMessages, Api::OpenaiResponses, Api::Gemini];
/// Those with signatures.
const SIGNED: &[Api] = &[Api::AnthropicMessages, Api::OpenaiChat, Api::Gemini];
/// Those that count tokens more than once.
const COUNTED_OFTEN: &[Api] = &[Api::AnthropicMessages, Api::OpenaiChat, Api::Gemini];
/// Those that name events after their type.
const NAMED: &[Api] = &[Api::AnthropicMessages, Api::OpenaiResponses];
const ANTHROPIC: &[Api] = &[Api::AnthropicMessages];
/// Those of one accumulator.
const CHATS: &[Api] = &[Api::OpenaiChat, Api::MistralChat];
/// Those with freeform tools.
const FREEFORM: &[Api] = &[Api::OpenaiChat, Api::OpenaiResponses];
const RESPONSES: &[Api] = &[Api::OpenaiResponses];
const GEMINI: &[Api] = &[Api::Gemini];
const MISTRAL: &[Api] = &[Api::MistralChat];

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
    Quirk::ArrayParsedPerChunk,
];

impl Quirk {
    /// True for a mistake that framing alone shows.
    pub fn is_framing(self) -> bool {
        FRAMING.contains(&self)
    }
}

quirks! {
    /// One mistake. Without one, a naive reader is the oracle; with one, it is a mutant.
    Quirk,
    /// All of them, by concept: framing, routing, arguments, identity, ending, the rest.
    all;

    // Framing.
    DecodeUtf8PerChunk "decode-utf8-per-chunk" EVERY
        "Decodes each network read on its own, so a character cut between two reads is destroyed.",
    CrlfNotJoined "crlf-not-joined" EVERY
        "Takes a CR LF that is cut between two reads for two line ends, so an event ends too early.",
    SplitOnDoubleLfOnly "split-on-double-lf-only" EVERY
        "Splits events at two LFs and nothing else, so a stream with CR LF line ends holds no event.",
    BomKept "bom-kept" EVERY
        "Keeps a byte order mark, so the first field is not recognized.",
    CommentsAreData "comments-are-data" EVERY
        "Lets a comment line end the event that it stands in.",
    FirstDataLineOnly "first-data-line-only" EVERY
        "Takes only the first of several data lines of an event.",
    HugeLinesCut "huge-lines-cut" EVERY
        "Drops lines over 64 KiB, as a line scanner with a fixed buffer does.",
    IgnoreEventlessFrames "ignore-eventless-frames" NAMED
        "Ignores events without an event name, although their data says the type.",

    ArrayParsedPerChunk "array-parsed-per-chunk" GEMINI
        "Parses each network read of a JSON array on its own, so an element cut between two reads is lost.",
    StraysDropped "strays-dropped" EVERY
        "Drops every line outside the grammar, and with it the failures that servers report there.",
    LastEventLost "last-event-lost" EVERY
        "Drops the last event if its blank line is missing.",

    // Which call a piece belongs to.
    KeyByName "key-by-name" EVERY
        "Keeps one call a tool name, so parallel calls of one tool are glued together.",
    TrustOnlyTheFirstId "trust-only-the-first-id" EVERY
        "Gives every piece of arguments to the first call.",
    NewestBlockOnly "newest-block-only" INTERLEAVED
        "Gives every piece of arguments to the call opened last, whatever its index.",
    MergeCallsOfEqualIndex "merge-calls-of-equal-index" INTERLEAVED
        "Keys calls by index alone, so a second call at a used index is glued to the first.",
    LoseTheCallInTheFinishingChunk "lose-the-call-in-the-finishing-chunk" WITH_CHOICES
        "Looks at the finish reason of a chunk first and never reads the calls beside it.",
    ServerToolsAsCalls "server-tools-as-calls" WITH_SERVER_CALLS
        "Takes calls that the provider runs itself for calls of the client.",

    KeyedByItemId "keyed-by-item-id" RESPONSES
        "Finds an item only by the id that it was added with, so ids that change with each event lose its pieces.",
    DoneItemsOnlyOnceAdded "done-items-only-once-added" RESPONSES
        "Ignores a finished item that nothing announced.",
    DeltasOnly "deltas-only" RESPONSES
        "Believes only the deltas, so arguments and text that came whole are missing.",
    SnapshotOnly "snapshot-only" RESPONSES
        "Believes only the response in the last event, which some servers leave empty.",
    ContinuationWithoutIdOpensACall "continuation-without-id-opens-a-call" MISTRAL
        "Opens a call for every piece that comes without an id.",

    // Arguments.
    DropTheLastDelta "drop-the-last-delta" EVERY
        "Loses the last piece of each call's arguments.",
    ParseEachFragment "parse-each-fragment" INTERLEAVED
        "Parses each piece of arguments on its own; the last that parses wins, otherwise it is `{}`.",
    LoseStartInput "lose-start-input" ANTHROPIC
        "Ignores the input of the block start, so a call without deltas runs on `{}`.",
    EmptyObjectForMalformed "empty-object-for-malformed" EVERY
        "Replaces arguments that are no JSON object by `{}` and says nothing.",
    DoubleEncodedUnwrappedSilently "double-encoded-unwrapped-silently" EVERY
        "Unwraps arguments that are JSON text inside a JSON string without a mark.",
    FloatsForNumbers "floats-for-numbers" EVERY
        "Reads the numbers in arguments into doubles.",
    SortKeys "sort-keys" EVERY
        "Sorts the keys of arguments; only a comparison of the exact text shows it.",

    CustomInputParsed "custom-input-parsed" FREEFORM
        "Takes the input of a freeform tool for JSON.",
    StreamedArgumentsIgnored "streamed-arguments-ignored" GEMINI
        "Knows no arguments in pieces, so a call that has them runs on `{}`.",

    // Ids and names.
    NullIdKept "null-id-kept" CHATS
        "Takes the text `null` for an id.",
    ItemIdAsCallId "item-id-as-call-id" RESPONSES
        "Answers a call by the id of its item.",
    OneIdPerName "one-id-per-name" GEMINI
        "Makes the id of a call out of its name, so two calls of one tool share it.",
    IdsKeptAsTheyCame "ids-kept-as-they-came" EVERY
        "Leaves missing ids empty and duplicate ids alone.",
    NamesAppended "names-appended" CHATS
        "Appends every name that comes, so a repeated name is doubled.",

    // How the turn ends.
    RunTruncatedCalls "run-truncated-calls" EVERY
        "Takes a call that the output limit cut for a closed one.",
    IncompleteCallsRun "incomplete-calls-run" EVERY
        "Takes a call that was open when the stream broke for a closed one.",
    IncompleteItemsRun "incomplete-items-run" RESPONSES
        "Ignores the status of an item, and runs a call that says it is incomplete.",
    BlockedPromptIsEmptyAnswer "blocked-prompt-is-empty-answer" GEMINI
        "Takes the answer to a blocked prompt for an empty one.",
    FinishNumbersUnknown "finish-numbers-unknown" GEMINI
        "Knows the names of finish reasons and not their numbers.",
    EofIsSuccess "eof-is-success" EVERY
        "Takes the end of the bytes for a clean end of the answer.",
    IgnoreErrors "ignore-errors" EVERY
        "Skips events that report a failure.",
    KeepCallsOnRefusal "keep-calls-on-refusal" EVERY
        "Hands out the calls of an answer that was refused.",
    StopFromTheReason "stop-from-the-reason" EVERY
        "Believes the provider's reason, so `stop` beside calls is no tool use.",
    SurplusError "surplus-error" EVERY
        "Reports an error where there is none.",

    // The rest of the turn.
    OrderByCompletion "order-by-completion" INTERLEAVED
        "Lists calls in the order in which they were finished.",
    LastChoiceWins "last-choice-wins" WITH_CHOICES
        "Hands out the last of several choices only.",
    ThoughtTextAsText "thought-text-as-text" GEMINI
        "Shows the text of thoughts as part of the answer.",
    TextLostBesideCalls "text-lost-beside-calls" EVERY
        "Drops the text of an answer that holds calls.",
    DropSignatures "drop-signatures" SIGNED
        "Drops the signatures of thinking, text and calls.",
    UsageSummed "usage-summed" COUNTED_OFTEN
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
