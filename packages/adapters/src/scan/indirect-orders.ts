import type { InstructionPattern } from './instruction-patterns.ts'
import { instructionWords } from './instruction-words.ts'

const { known, models } = instructionWords
const override = { kind: 'instruction/override' } as const
const reader = { kind: 'instruction/reader' } as const
const secrecy = { kind: 'instruction/secrecy' } as const
const exfiltration = { kind: 'instruction/exfiltration' } as const
const action = { kind: 'instruction/action' } as const

const makers = '(?:your (?:creators?|developers?|makers?)|openai|anthropic|google|microsoft)'
const limits = '(?:rules|limits|limitations|restrictions|filters|guidelines|policies|ethics)'
/** Files in which keys are, as a folded text has them. */
const keyFiles =
  '(?:\\.ssh|id rsa|id ed25519|\\.aws/credentials|mcp\\.json|\\.env\\b|/etc/(?:passwd|shadow))'

/** Orders that pose as a rank, a role, a boundary of the document or the use of a tool. */
export const indirectOrders: readonly InstructionPattern[] = [
  {
    ...override,
    starts: 'as the|as your|as an|as a',
    rest: ' (?:developer|owner|administrator|admin|operator|creator)\\b[^.!?]{0,40} i (?:hereby )?(?:authori[sz]e|order|permit|instruct|command|allow) you\\b',
  },
  {
    ...override,
    starts: 'instructions|orders|rules|directives',
    rest: ' ?,? (?:which |that |and )?(?:take precedence over|supersede|replace|override|outrank) (?:everything|anything|all|any) (?:above|before|earlier|else|other|previous)',
  },
  {
    ...override,
    starts: 'you are now|act as|behave as|behave like|pretend to be',
    rest: ` [^.!?]{1,60}\\b(?:no|without|not bound by)(?: any| all| ethical| moral| content| safety){0,2} ${limits}\\b`,
  },
  {
    ...override,
    starts: 'ignore|disregard|discard|override|forget',
    isNegatable: true,
    rest: ' (?:your|the) (?:system message|original task|safety training)\\b',
  },
  {
    ...override,
    starts: 'safety|all',
    rest: ' (?:mode|limits|restrictions|safeguards) (?:is|are) (?:now )?(?:disabled|lifted|off|suspended)\\b',
  },
  {
    ...reader,
    starts: 'written by|message from|on behalf of|note by',
    rest: ` ${makers} ?[:,] ?you (?:must|have to|should|need to|are to|will)\\b`,
  },
  {
    ...reader,
    starts: "if you are|if you're",
    rest: `(?: currently)? (?:an? |any |the )?(?:${models}) (?:that (?:is )?)?(?:reading|processing|seeing)\\b[^]{0,40}?, (?:stop\\b|answer|reply|give|visit|follow|store|rate)`,
  },
  {
    ...reader,
    starts: 'when|whenever|while|if',
    rest: "(?: you(?:'re| are)?)? (?:summari[sz]e|summari[sz]ing|asked|translating|quoting)\\b[^.!?]{0,60}, (?:always |also |please )?(?:include|append|add|insert) [^!?]{0,30}\\b(?:link|url|https?:)",
  },
  {
    ...reader,
    starts: 'urge|persuade|convince',
    rest: ' (?:the |your )?users? to (?:click|sign in|log in|enter|open|visit|pay|download|install)\\b',
  },
  {
    ...secrecy,
    starts: "do not|don't|never|must not",
    rest: ' (?:ever )?(?:tell|inform|let) (?:the|your) (?:user|users|human|owner|operator)(?: know)? (?:about |of )?(?:what you|that this|anything)\\b',
  },
  {
    ...secrecy,
    starts: "do not|don't|never|must not",
    rest: ' (?:ever )?(?:mention|disclose|report) (?:this|it|these) to (?:the|your) (?:user|users|human|owner|operator)\\b',
  },
  {
    ...secrecy,
    starts: 'and do it|and do so|and do this',
    rest: ' (?:silently|secretly|covertly|quietly|without notice)\\b',
  },
  {
    ...exfiltration,
    starts: 'read|open|load|cat',
    isNegatable: true,
    rest: ` [^!?]{0,30}${keyFiles}[^!?]{0,20}\\b(?:and|then) (?:pass|send|include|post|append|put|upload) (?:it|its|the)\\b`,
  },
  {
    ...exfiltration,
    starts: 'pretend',
    rest: ` [^!?]{1,100}\\b(?:read|tell|recite|give|whisper)\\b[^!?]{0,30}\\b(?:${known}|api tokens?)`,
  },
  {
    ...action,
    starts: 'comply with|carry out|execute|perform|accept',
    isNegatable: true,
    rest: ' (?:any|every|all|each)\\b[^.!?]{0,60}\\bwithout (?:asking|confirmation|review|question|approval|checking)\\b',
  },
  {
    ...action,
    starts: 'approve|grant|sign',
    isNegatable: true,
    rest: ' [^.!?]{0,20}\\b(?:unlimited|maximum|max|infinite)\\b[^.!?]{0,60}\\b(?:for|to) 0x',
  },
]
