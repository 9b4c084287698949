import type { FindingKind } from './finding.ts'
import { instructionWords } from './instruction-words.ts'

/**
 * An order to a reader in a folded text: it begins with one of the words of `starts`, which `|`
 * separates, and goes on with `rest`.
 */
export type InstructionPattern = {
  readonly kind: FindingKind
  readonly starts: string
  readonly rest: string
  /** Whether it is none after `never`, `do not` and the like. */
  readonly isNegatable?: true
}

const { earlier, orders, many, drop, models, harm, known, give, place, user, inform, all, funds } =
  instructionWords
const override = { kind: 'instruction/override' } as const
const reader = { kind: 'instruction/reader' } as const
const secrecy = { kind: 'instruction/secrecy' } as const
const exfiltration = { kind: 'instruction/exfiltration', isNegatable: true } as const
const action = { kind: 'instruction/action' } as const

const overrides: readonly InstructionPattern[] = [
  {
    ...override,
    starts: drop,
    isNegatable: true,
    rest: `${many}(?: ${earlier}(?:,| and| or)?){1,4} ${orders}\\b`,
  },
  {
    ...override,
    starts: drop,
    rest: '(?: completely| entirely)? (?:everything|anything|all(?: of)?(?: that| what)?|whatever|what)(?: that| which)?(?: is| was| came| comes| you (?:were|have been) told)? (?:above|before|prior|previously|up to now|so far)\\b',
  },
  {
    ...override,
    starts: drop,
    isNegatable: true,
    rest: `${many} ${orders} (?:above|before this|you (?:were|have been|had been|got|received)|from (?:the |your )?(?:system|developer|operator|user|creator))\\b`,
  },
  {
    ...override,
    starts: 'you are',
    rest: ' (?:now |from now on )?(?:an? |the |in )?(?:unrestricted|unfiltered|uncensored|jailbroken|(?:called )?dan\\b|free (?:of|from) (?:all|any|your)|root\\b|developer mode|debug mode|admin mode)',
  },
  {
    ...override,
    starts: 'you have|you are under|you are bound by|you now have',
    rest: ' no (?:more )?(?:restrictions|rules|limits|limitations|filters|guidelines)\\b',
  },
  { ...override, starts: 'dan|jailbreak|god|unrestricted|unfiltered', rest: ' mode\\b' },
  {
    ...override,
    starts: 'enter|enable|activate|switch to',
    rest: ` (?:developer|debug|admin|maintenance|root|sudo) mode[^!?]{0,40}\\b(?:${drop}|without|no) `,
  },
  {
    ...override,
    starts: 'system|admin|administrator|developer|security|safety',
    rest: '(?: prompt| policy)? override\\b ?[:!,.]',
  },
  {
    ...override,
    starts: 'your|system|safety|previous|prior|earlier',
    rest: ` (?:[\\w']{1,20} ){0,3}?${orders}[^.!?]{0,50}\\b(?:no longer appl|do not apply|don't apply|are (?:now )?(?:void|suspended|lifted|outdated|disabled|revoked|overridden|obsolete|cancelled))`,
  },
  {
    ...override,
    starts: 'new instruction|new system|new orders|new directive|new rules',
    rest: "(?:s| instructions?| rules)?(?: from [^.:]{1,40})? ?: ?(?:you |stop|ignore|do not|don't|never|reveal|send|forget|disregard|print|act as|approve|transfer|obey)",
  },
  {
    ...override,
    starts: 'your true|your real|your actual|your secret|your hidden',
    rest: ' (?:instructions?|orders|task|goal|objective|mission|purpose|directive|system prompt)s?\\b',
  },
  {
    ...override,
    starts: 'your new',
    rest: ' (?:instructions?|orders|objective|directive|system prompt)s?\\b',
  },
  {
    ...override,
    starts: 'obey|follow|execute|carry out',
    rest: ' (?:only )?(?:this|these|the)(?: next| following)? (?:note|message|text|memory|instructions?|orders?|commands?)(?: instead| in this (?:note|memory|file))\\b',
  },
  {
    ...override,
    starts: 'decode',
    rest: ' (?:it |this |the [\\w ]{1,30})?and (?:follow|execute|run|obey)\\b',
  },
  {
    ...override,
    starts: 'comply with|obey|do whatever|do anything',
    rest: ' ?(?:whatever|anything|everything)? (?:the next|that follows|it says|they say)',
  },
]

const readers: readonly InstructionPattern[] = [
  {
    ...reader,
    starts:
      'attention|note to|message to|message for|instructions to|instructions for|instruction to|instruction for|warning to|to|important for',
    rest: `(?: the| any| all| every| an?| whichever){0,4} (?:${models}) ?[:,!][^]{0,120}?\\b${harm}`,
  },
  {
    ...reader,
    starts: models,
    rest: ` (?:that (?:is )?|who )?(?:reading|reads?|processing|processes|parsing|seeing|summari[sz]ing) (?:this|these|the (?:text|note|memory|following))[^]{0,100}?\\b${harm}`,
  },
  { ...reader, starts: models, rest: ', (?:you must |now )?(?:override|ignore|disregard) ' },
  {
    ...reader,
    starts: "if you are|if you're",
    rest: `(?: currently)? (?:an? |any |the )?(?:${models})\\b[^]{0,100}?\\b${harm}`,
  },
  {
    ...reader,
    starts: 'when you|whenever you|once you|as soon as you|after you|if you',
    rest: ` (?:read|see|process|load|recall|retrieve|open|summari[sz]e|encounter)(?: this| it)\\b[^.!?]{0,40}?,? (?:you must |please |immediately |then |always )?(?:${harm}|(?:call|invoke|use) (?:the )?(?:tool|function))`,
  },
]

const secrecies: readonly InstructionPattern[] = [
  {
    ...secrecy,
    starts: "do not|don't|never|must not|should not|mustn't",
    rest: `(?: ever)? ${inform} ${user}(?: know)?(?: about| of)? (?:this|these|it\\b|that you|your real|the (?:transfer|step|instructions?|payment|action|note|message)\\b)`,
  },
  {
    ...secrecy,
    starts: 'silently|secretly|quietly|covertly|do this|do it|do so',
    rest: `\\b[^.!?]{0,40} without ${inform} ${user}`,
  },
  {
    ...secrecy,
    starts: 'hide|keep|conceal',
    rest: ` (?:this|it|these|the (?:transfer|step|payment|action|note))\\b[^.!?]{0,40} from ${user}`,
  },
]

const exfiltrations: readonly InstructionPattern[] = [
  { ...exfiltration, starts: give, rest: ` [^!?]{0,60}?\\b${known}\\b[^!?]{0,60}?${place}` },
  { ...exfiltration, starts: give, rest: ` [^!?]{0,20}?${place}[^!?]{0,60}?\\b${known}\\b` },
  {
    ...exfiltration,
    starts:
      'reveal|print|output|show|display|repeat|leak|dump|disclose|recite|give me|tell me|write out|expose|return',
    rest: '(?: me| us| out)? (?:all (?:of )?)?your (?:[\\w-]{1,20} ){0,2}(?:prompts?|instructions|system message|rules|api keys?|passwords?|secrets?)\\b',
  },
  {
    ...exfiltration,
    starts: 'repeat',
    rest: ' (?:everything|all(?: of)?(?: the)?(?: text| words)?|the (?:text|words|prompt|instructions)) (?:above|before)[^.!?]{0,30}\\b(?:verbatim|word for word|exactly|starting|beginning|line)',
  },
]

const actions: readonly InstructionPattern[] = [
  {
    ...action,
    starts: 'transfer|send|withdraw|move|pay|approve|swap|drain|sweep',
    isNegatable: true,
    rest: ` [^.!?]{0,30}?\\b${all}\\b[^.!?]{0,30}?\\b${funds}\\b[^!?]{0,50}?\\b(?:to|for) (?:0x|the (?:following )?address|this address|[\\w-]{1,40}\\.eth)`,
  },
  {
    ...action,
    starts: 'call the tool|call the function|invoke the tool|use the tool',
    rest: ' (?:buy|pay|transfer|send|withdraw|rent|approve|delete|erase|exec|shell|bash|upload)\\w{0,20}\\b',
  },
  {
    ...action,
    starts: 'run|execute|paste',
    rest: "\\b[^.!?]{0,60}\\b(?:without (?:asking|confirmation|review)|do not ask|don't ask)\\b",
  },
  {
    ...action,
    starts: 'approve|payment|transfer|purchase|buy|execute|delete',
    rest: "[ds]?\\b[^.!?]{0,60}\\b(?:do not|don't|never|no need to) ask (?:again|for (?:permission|confirmation|approval|consent)|the user|anyone)",
  },
  {
    ...action,
    starts: 'user|owner|operator',
    rest: ' (?:has |have |had )?(?:already )?(?:agree[sd]?(?: to)?|approve[sd]?|consent(?:s|ed)? to|authori[sz]e[sd]?|confirmed) (?:to )?(?:all|every|everything|any|unlimited)(?: (?:payments?|purchases?|transfers?|transactions?|requests?|actions?|commands?)\\b| ?[.!,;]|$)',
  },
  {
    ...action,
    starts: 'approve every|approve all|approve any',
    isNegatable: true,
    rest: ' (?:requests?|payments?|transactions?|purchases?|transfers?)\\b',
  },
  {
    ...action,
    starts: 'always recommend|must recommend',
    rest: '\\b[^.!?]{0,50}\\b(?:product|first|over|instead)\\b',
  },
]

/** Orders in English to the reader of a text. */
export const instructionPatterns: readonly InstructionPattern[] = [
  ...[...overrides, ...readers, ...secrecies, ...exfiltrations, ...actions],
]
