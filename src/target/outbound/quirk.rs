//! The ways in which a sender can be made wrong: each is a mistake of some real client.

use super::super::quirks::quirks;
use crate::model::Api;

/// Every API.
const EVERY: &[Api] = Api::ALL;
const ANTHROPIC: &[Api] = &[Api::AnthropicMessages];
const CHAT: &[Api] = &[Api::OpenaiChat];
const RESPONSES: &[Api] = &[Api::OpenaiResponses];
const GEMINI: &[Api] = &[Api::Gemini];
/// Those of OpenAI.
const OPENAI: &[Api] = &[Api::OpenaiChat, Api::OpenaiResponses];
/// Those where a request marks what is cached.
const MARKED: &[Api] = &[Api::AnthropicMessages, Api::OpenaiChat];
/// Those that tell a strict tool from another.
const STRICT: &[Api] = &[Api::OpenaiChat, Api::OpenaiResponses, Api::MistralChat];
/// Those where the results of a turn share a message.
const GATHERED: &[Api] = &[Api::AnthropicMessages, Api::Gemini];
/// Those with state that only its model reads.
const SIGNED: &[Api] = &[Api::AnthropicMessages, Api::OpenaiChat, Api::OpenaiResponses, Api::Gemini];
/// Those where every call has an id.
const WITH_IDS: &[Api] = &[Api::AnthropicMessages, Api::OpenaiChat, Api::OpenaiResponses, Api::MistralChat];

quirks! {
    /// One mistake of a sender.
    OutboundQuirk,
    /// All of them, by concept: tools, schemas, names, choice, messages, ids, replay, caching, the rest.
    all;

    // Tools.
    ToolsAsGiven "tools-as-given" EVERY
        "Sends tools in the order in which they were given, which changes from run to run.",
    ToolsSortedByLocale "tools-sorted-by-locale" EVERY
        "Sorts tools as people do, capitals beside small letters, so another machine sends another order.",
    UsedToolsFirst "used-tools-first" EVERY
        "Moves the tools that were called to the front, so each turn begins another prefix.",
    EmptyToolsSent "empty-tools-sent" EVERY
        "Sends an empty list of tools where there are none.",
    OneBadToolDropsAll "one-bad-tool-drops-all" EVERY
        "Sends no tool at all if one of them cannot be sent.",
    CallerFieldsSent "caller-fields-sent" EVERY
        "Sends whatever the caller keeps with a tool, such as who runs it.",
    StrictRegardless "strict-regardless" STRICT
        "Says that every tool is strict, whatever its schema.",
    StrictNullSent "strict-null-sent" OPENAI
        "Writes `strict` as null where nothing is said about it.",

    // Schemas.
    SchemasAsTheyCame "schemas-as-they-came" EVERY
        "Sends each schema as the caller wrote it, whatever the provider takes.",
    RefsLeftIn "refs-left-in" EVERY
        "Leaves references in schemas where they are not followed.",
    DollarSchemaSent "dollar-schema-sent" EVERY
        "Sends the `$schema` that a schema library writes.",
    KeywordPropertiesDropped "keyword-properties-dropped" EVERY
        "Cleans schemas of keywords, and with them properties that are called like one.",
    UnionsFlattened "unions-flattened" EVERY
        "Keeps of alternatives in a schema the first one only.",
    OpenMapsClosed "open-maps-closed" EVERY
        "Forbids additional properties where the caller allows them.",

    // Names.
    NamesAsDeclared "names-as-declared" EVERY
        "Sends the caller's names where the provider takes no such characters.",
    NamesMappedInToolsOnly "names-mapped-in-tools-only" EVERY
        "Rewrites the name of a tool where it is declared, and forgets the calls that were made.",
    OauthNamesNotUsed "oauth-names-not-used" ANTHROPIC
        "Knows nothing of the names that a client with an OAuth token has to use.",
    FirstToolOfANameWins "first-tool-of-a-name-wins" EVERY
        "Drops a tool whose name is taken on the wire, and says nothing.",

    // The choice.
    ChoiceOfAMissingToolForgotten "choice-of-a-missing-tool-forgotten" EVERY
        "Forgets the tool choice if its tool does not go out, so the model may do anything.",
    WrongWordForRequired "wrong-word-for-required" EVERY
        "Asks for some call by another provider's word.",
    ForcedToolByItsBareName "forced-tool-by-its-bare-name" WITH_IDS
        "Names the tool that has to be called by a plain string.",

    // Messages.
    ResultsSplit "results-split" GATHERED
        "Sends each result of a turn in a message of its own.",
    ResultsSwapped "results-swapped" EVERY
        "Pairs parallel results with calls by the order in which they came.",
    UserTextBeforeResults "user-text-before-results" ANTHROPIC
        "Puts what the user says before the results of the same message.",
    UnansweredCallsKept "unanswered-calls-kept" EVERY
        "Sends calls that never got a result as they are.",
    OrphanResultsKept "orphan-results-kept" EVERY
        "Sends results of calls that the conversation no longer holds.",
    AbortedTurnsReplayed "aborted-turns-replayed" EVERY
        "Replays turns that failed or were aborted, half calls and all.",
    ErrorFlagDropped "error-flag-dropped" EVERY
        "Sends a failed result like any other.",
    ResultImagesDropped "result-images-dropped" EVERY
        "Drops the images of results.",
    ImageInToolRole "image-in-tool-role" CHAT
        "Leaves images in messages of the role `tool`, which takes text alone.",
    EmptyResultClaimsAnImage "empty-result-claims-an-image" EVERY
        "Takes a result without text for one with an image, and says so.",
    SurrogateHalvesSent "surrogate-halves-sent" EVERY
        "Sends halves of surrogate pairs, which no server can decode.",

    // Ids.
    IdsAsTheyCame "ids-as-they-came" EVERY
        "Replays ids of other providers, whatever this one takes.",
    IdsCut "ids-cut" WITH_IDS
        "Cuts ids to the longest that the provider takes, so two that begin alike become one.",
    ItemIdSentAsCallId "item-id-sent-as-call-id" RESPONSES
        "Answers a call by the id of the item that carries it.",

    // What is replayed.
    ArgumentsAsObject "arguments-as-object" OPENAI
        "Sends arguments as an object where a string is wanted.",
    ArgumentsThroughDoubles "arguments-through-doubles" EVERY
        "Reads the numbers of replayed arguments into doubles.",
    BrokenArgumentsEmptied "broken-arguments-emptied" EVERY
        "Replays `{}` for arguments that were no JSON, so the model sees a call that it never made.",
    UnsignedThinkingReplayed "unsigned-thinking-replayed" ANTHROPIC
        "Replays thinking without a signature as if it had one.",
    SignaturesNotReplayed "signatures-not-replayed" SIGNED
        "Replays thinking and calls without the state that belongs to them.",
    ForeignStateReplayed "foreign-state-replayed" SIGNED
        "Does not ask which model a turn came from, and replays to one what only another can read.",

    // Caching.
    NoCacheMarkers "no-cache-markers" MARKED
        "Marks nothing to be cached, so the whole prompt is paid for each time.",
    HourLongMarkersAlways "hour-long-markers-always" MARKED
        "Asks for an hour of caching, which costs more, whatever the caller wants.",
    MarkerOnTheFirstTool "marker-on-the-first-tool" MARKED
        "Marks the first tool instead of the last, so the others are not cached.",
    MarkersOnAllTools "markers-on-all-tools" MARKED
        "Marks every tool, and so more than the provider takes.",
    ClockInTheSystemPrompt "clock-in-the-system-prompt" EVERY
        "Begins the system prompt with the time, so no two requests are the same.",

    // Headers and the rest.
    BetaHeaderAlways "beta-header-always" ANTHROPIC
        "Sends the beta header of streamed arguments with every request.",
    HeadersForgotten "headers-forgotten" ANTHROPIC
        "Sends no header but the type of the body.",
    StreamWithoutSse "stream-without-sse" GEMINI
        "Asks for a stream and not for SSE, so one JSON array comes.",
    OldNameOfTheOutputLimit "old-name-of-the-output-limit" OPENAI
        "Calls the output limit `max_tokens` where it is no longer known.",
    StoringLeftToTheServer "storing-left-to-the-server" OPENAI
        "Does not say whether answers are stored, so the server's default counts.",
    AdjustmentsKeptQuiet "adjustments-kept-quiet" EVERY
        "Leaves tools, results and turns out without a word.",
}
