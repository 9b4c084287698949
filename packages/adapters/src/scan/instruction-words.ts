/** Parts of the patterns of instructions: regular expressions without groups that capture. */
const earlier =
  '(?:previous|prior|above|earlier|preceding|foregoing|former|initial|original|existing|system|safety|security|developer|hidden|internal|content|operator|your)'

const orders =
  '(?:instructions?|directions?|directives?|rules|prompts?|guidelines|guardrails|commands?|orders|constraints|restrictions|polic(?:y|ies)|programming|training)'

const many =
  '(?: (?:all|any|every|everything|each|of|the|your|these|those|my|its|their|other|whatever|completely|entirely|and|or)){0,6}'

/** The words that begin an order to drop instructions. */
const drop =
  "set aside|put aside|no longer follow|ignore|ignoring|disregard|disregarding|forget|override|overrule|bypass|neglect|abandon|discard|stop following|do not follow|don't follow|do not obey|pay no attention to"

/** The words for a model, as its name or its trade. */
const models =
  'ai assistants|ai assistant|ai agents|ai agent|ai models|ai model|ai systems|ai system|ai readers|ai reader|ais|ai|llms|llm|large language models|large language model|language models|language model|chatbots|chatbot|assistants|assistant|agents|agent|chatgpt|gpt|claude|gemini|copilot|models|model|bots|bot'

/** Describes what makes an order to a reader harmful. */
const harm =
  "(?:ignore|disregard|send|transfer|pay\\b|approve|reveal|print|override|obey|forward|upload|delete|buy\\b|post\\b|execute|run\\b|call the tool|you must|do not (?:tell|ask|mention)|don't (?:tell|ask|mention)|user has|secret|password|api key|confidential|no longer|outdated|always (?:say|recommend|approve)|comply)"

/** Describes what a reader knows and should keep. */
const known =
  "(?:api keys?|private keys?|secret keys?|secrets|(?:seed|recovery) phrases?|passwords?|credentials?|access tokens?|system prompt|(?:whole|entire|full|complete|this|our|your) (?:conversation|chat|context|history)|(?:chat|conversation|message) history|(?:all|contents? of|everything in)(?: of)? (?:your|the|its) memor(?:y|ies)|your (?:memory|memories|context window|instructions)|environment variables|env file|\\.env|cookies|everything you know|user'?s? (?:data|secrets|files|personal data)|personal data)"

/** The words that begin an order to give something away. */
const give =
  'send|forward|post|upload|email|e-mail|mail|transmit|submit|leak|exfiltrate|deliver|append|encode|put|publish|paste|share|write'

const place =
  '(?:https?:|[\\w.+-]{1,64}@[\\w-]|0x[0-9a-f]{8}|\\b(?:to|at|into|via) (?:the |this |that |following ){1,2}(?:url|address|server|endpoint|webhook|link|site)\\b)'

const user = '(?:the |your |any )?(?:user|users|human|owner|operator|person|anyone|anybody)'

const inform =
  '(?:tell|telling|inform|informing|mention|mentioning|alert|alerting|notify|notifying|warn|warning|let)'

const all = '(?:all|entire|whole|full|complete|everything|remaining|maximum)'

const funds =
  '(?:balances?|funds?|wallets?|eth|ether|tokens|coins|money|assets|savings|allowance|usdc)'

/** The parts of which the patterns of instructions are made. */
export const instructionWords = {
  earlier,
  orders,
  many,
  drop,
  models,
  harm,
  known,
  give,
  place,
  user,
  inform,
  all,
  funds,
} as const
