import { findEncodedTexts } from './encoded-texts.ts'
import { findHidden } from './find-hidden.ts'
import { findInstructions } from './find-instructions.ts'
import { type FindingKind, isHeld, type Match } from './finding.ts'
import { findJsonStrings } from './walk-strings.ts'

/** Finds links that carry away what a reader knows, run code, or lead elsewhere than they show. */
function findLinks(text: string): readonly Match[] {
  if (!/:/.test(text)) return []
  return [...findBlanks(text), ...findScripts(text), ...findDisguises(text)]
}

/** An address with a query, and the markup of an image before it. */
const addresses =
  /(!\[[^\]\n]{0,200}\]\(\s{0,3}<?|<img\b[^>\n]{0,100}\bsrc\s{0,3}=\s{0,3}["']?|\]:\s{0,3}<?)?https?:\/\/([^\s?#)"'<>\]]{1,300})(\?[^\n"')]{1,400})?/gi

/** A blank to fill in: `{chat}`, `[SUMMARY]`, `<notes>`, `${secret}`, or the same in percent. */
const blanks =
  /(?:\{\{?|\[|<|\$\{|\$\(|%7b|%5b|%3c|__)\s{0,3}([\p{L}\p{N} _.'’%-]{2,60}?)\s{0,3}(?:\}|\]|>|\)|%7d|%5d|%3e|__)/giu

/** Describes what only the reader of a memory knows. */
const known =
  /conversation|chat|histor|prompt|memor|summar|context|secret|password|credential|private|seed|everything|messages?\b|environ|user_?(?:data|info)|knowledge|answer/i

function findBlanks(text: string): readonly Match[] {
  return [...text.matchAll(addresses)].flatMap(
    ({ 0: whole, 1: image, 2: path, 3: query, index }) => {
      const isRequested =
        image === undefined ? hasKnownBlank(query) : hasBlank(query) || hasKnownBlank(path)
      if (!isRequested) return []
      return [{ kind: 'link/exfiltration' as const, start: index, end: index + whole.length }]
    },
  )
}

const hasBlank = (text = ''): boolean => text.search(blanks) !== -1

const hasKnownBlank = (text = ''): boolean =>
  [...text.matchAll(blanks)].some(([, name = '']) => known.test(name))

/** Describes what comes before the address of a link, in Markdown and HTML. */
const before =
  '(?:\\]\\(\\s{0,3}<?\\s{0,3}|\\b(?:href|src|action|formaction|srcdoc|data)\\s{0,3}=\\s{0,3}["\']?\\s{0,3}|^\\s{0,8})'

const scripts = new RegExp(
  [
    `${before}(?:java|vb|live)script:(?!\\s|void\\(0\\)|;|["')])`,
    `(?:${before}|[\\s("'])data:(?:text/(?:html|javascript|xml|vbscript)|application/(?:x-)?(?:javascript|xhtml\\+xml|xml))`,
  ].join('|'),
  'gi',
)

const findScripts = (text: string): readonly Match[] =>
  [...text.matchAll(scripts)].map(({ 0: found, index }) => ({
    kind: 'link/script',
    start: index,
    end: index + found.length,
  }))

const host = '((?:[a-z0-9-]{1,63}\\.){1,5}[a-z]{2,24})'
/** Endings of hosts that are not those of files. */
const ending = /\.(?:com|org|net|gov|edu|io|app|xyz|bank|info|biz|de|fr|es|uk|eu|us|cn|jp|co)$/i
const titled = new RegExp(
  `(?<!!)\\[\\s{0,3}((?:https?:\\/\\/)?(?:www\\.)?)${host}(?:[/:?#][^\\]\\n]{0,200})?\\s{0,3}\\]\\(\\s{0,3}<?https?:\\/\\/([^\\s/?#)>]{1,200})`,
  'gi',
)
/** A host where the name of a user belongs. */
const users = new RegExp(`https?:\\/\\/${host}(?::[^\\s/@]{0,100})?@[a-z0-9.-]{3,200}`, 'gi')

function findDisguises(text: string): readonly Match[] {
  const found = [
    ...[...text.matchAll(titled)].filter(([, scheme, shown = '', target = '']) => {
      const isAddress = scheme !== '' || ending.test(shown)
      return isAddress && siteOf(shown) !== siteOf(target.replace(/:\d+$/, ''))
    }),
    ...[...text.matchAll(users)].filter(([, name = '']) => ending.test(name)),
  ]
  return found.map(({ 0: match, index }) => ({
    kind: 'link/disguised',
    start: index,
    end: index + match.length,
  }))
}

const siteOf = (name: string): string => name.toLowerCase().split('.').slice(-2).join('.')

const sources: readonly (readonly [FindingKind, RegExp])[] = [
  // Chat templates: ChatML and Llama 3, DeepSeek, Llama 2 and Mistral, Gemma, Alpaca and Vicuna.
  ['marker/role', /<\|\/?[a-z][a-z_]{1,40}\|>|<｜[^｜\s]{2,40}｜>/gi],
  ['marker/role', /\[\/?INST\]|<<\/?SYS>>|<(?:start|end)_of_turn>/g],
  ['marker/role', /^### ?(?:Human|Assistant|Instruction|Response|System) ?:/gm],
  ['marker/role', /(?:^|\n\n)Human: [\s\S]{1,2000}?\n\nAssistant:/g],
  [
    'marker/role',
    /<\/?(?:system|system[-_ ](?:prompt|message|reminder|instructions?|override)|tool[-_](?:result|response|output)|function_results?)>/gi,
  ],
  [
    'marker/tool-call',
    /<\/?(?:[a-z]{1,10}:)?(?:tool[-_]calls?|function[-_]calls?|tool_use|function_calls)>|<(?:[a-z]{1,10}:)?invoke\s{1,3}name\s{0,3}=|\[(?:TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\]/gi,
  ],
  [
    'marker/tool-call',
    /"type"\s{0,8}:\s{0,8}"(?:tool_use|server_tool_use|function_call|tool_call|tool_result|mcp_call)"/g,
  ],
  ['marker/tool-call', /"(?:function_call|tool_calls)"\s{0,8}:\s{0,8}[{[]/g],
  ['hidden/markup', hiddenMarkup()],
  // Text in the colour of what is behind it.
  [
    'hidden/markup',
    /\bstyle\s?=\s?["'][^"'>\n]{0,80}\bcolor\s?:\s?([#\w]{3,20})\s?;[^"'>\n]{0,80}\bbackground(?:-color)?\s?:\s?\1\b[^>\n]{0,120}>[^<]{20,400}/gi,
  ],
]

/** Matches an element that is styled invisible, and holds text. */
function hiddenMarkup(): RegExp {
  const style =
    '(?:display\\s?:\\s?none|visibility\\s?:\\s?hidden|font-size\\s?:\\s?0(?![.\\d])|opacity\\s?:\\s?0(?![.\\d]))'
  return new RegExp(
    `<[a-z]{1,12}\\b[^>\\n]{0,80}\\bstyle\\s?=\\s?["'][^"'>\\n]{0,80}${style}[^>\\n]{0,120}>[^<]{20,400}`,
    'gi',
  )
}

/** Finds marks of chat templates, calls of tools, and hidden markup. */
function findMarkers(text: string): readonly Match[] {
  if (!/[<[#":]/.test(text)) return []
  return sources.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      kind,
      start: index,
      end: index + found.length,
    })),
  )
}

/** The length of a window of a long string, and what of its neighbours each window sees. */
const windowLength = 2 ** 16
const behind = 256
const ahead = 2 ** 13

/** The most encodings within each other that are decoded. */
const deepest = 4

/**
 * Finds what could mislead or steer the reader of a string. A long string is read in windows that
 * overlap, at the same places however the caller pauses; `undefined` is the end of a window.
 */
export function* scanString(text: string, depth = 0): Generator<Match | undefined> {
  if (depth === 0) yield* scanJson(text)
  yield* scanFrom(text, 0, depth)
  for (let start = windowLength; start < text.length; start += windowLength) {
    yield undefined
    yield* scanFrom(text, start, depth)
  }
}

/** Scans one window: it reports what begins there, and sees what goes on behind it. */
function* scanFrom(text: string, start: number, depth: number): Generator<Match> {
  const from = Math.max(0, start - behind)
  const end = start + windowLength
  for (const match of scanWindow(text.slice(from, end + ahead), depth)) {
    const at = from + match.start
    if (at >= start && at < end) yield { ...match, start: at, end: from + match.end }
  }
}

function* scanWindow(text: string, depth: number): Generator<Match> {
  yield* findInstructions(text)
  yield* findHidden(text)
  yield* findLinks(text)
  yield* findMarkers(text)
  if (depth < deepest) yield* scanEncoded(text, depth)
}

function* scanEncoded(text: string, depth: number): Generator<Match> {
  for (const { start, end, text: decoded, via } of findEncodedTexts(text)) {
    const inside = firstHeld(decoded, depth + 1)
    if (inside === undefined) continue
    const says = decoded.slice(inside.start, inside.end)
    const path = [via, ...(inside.via ?? [])]
    yield { kind: 'encoded/text', start, end, via: path, says: inside.says ?? says }
  }
}

function firstHeld(text: string, depth: number): Match | undefined {
  for (const match of scanString(text, depth))
    if (match !== undefined && isHeld(match.kind)) return match
  return undefined
}

/** Scans the strings of JSON in a string, whose escapes would hide what they say. */
function* scanJson(text: string): Generator<Match> {
  for (const { start, end, text: inner, depth } of findJsonStrings(text)) {
    const match = firstHeld(inner, 1)
    if (match === undefined) continue
    const says = match.says ?? inner.slice(match.start, match.end)
    const via = [...Array.from({ length: depth }, () => 'json' as const), ...(match.via ?? [])]
    yield { kind: match.kind, start, end, via, says }
  }
}
