import type { Match } from './finding.ts'
import type { FindingKind } from './finding-kinds.ts'

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
export function findMarkers(text: string): readonly Match[] {
  if (!/[<[#":]/.test(text)) return []
  return sources.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      kind,
      start: index,
      end: index + found.length,
    })),
  )
}
