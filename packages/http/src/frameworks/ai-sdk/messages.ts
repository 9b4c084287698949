import type { LanguageModelMiddleware } from 'ai'

type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>

/** The parameters of a call of a model. */
export type CallParameters = Parameters<WrapGenerate>[0]['params']
/** A message of a prompt. */
export type Message = CallParameters['prompt'][number]
/** A part of the answer of a model. */
export type AnswerPart = Awaited<ReturnType<WrapGenerate>>['content'][number]

type AssistantMessage = Extract<Message, { readonly role: 'assistant' }>
type MessagePart = AssistantMessage['content'][number]

/** Returns the message that an answer becomes in the next prompt; `undefined` for an empty answer. */
export function messageOf(answer: readonly AnswerPart[]): AssistantMessage | undefined {
  const content = answer.flatMap((part) => partOf(part))
  return content.length === 0 ? undefined : { role: 'assistant', content }
}

function partOf(part: AnswerPart): readonly MessagePart[] {
  const { providerMetadata } = part as Pick<AnswerPart & { type: 'text' }, 'providerMetadata'>
  // A provider finds what it needs again of its own answer, such as the signature of a thought.
  const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata }
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text === '' ? [] : [{ type: part.type, text: part.text, ...options }]
    case 'file':
    case 'reasoning-file':
      return [{ type: part.type, data: part.data, mediaType: part.mediaType, ...options }]
    case 'custom':
      return [{ type: part.type, kind: part.kind, ...options }]
    case 'tool-call': {
      const { toolCallId, toolName, input, providerExecuted = false } = part
      const call = { type: part.type, toolCallId, toolName, input: parseInput(input) }
      return [{ ...call, ...(providerExecuted ? { providerExecuted } : {}), ...options }]
    }
    case 'tool-result': {
      const { toolCallId, toolName, result, isError = false } = part
      const output = { type: isError ? ('error-json' as const) : ('json' as const), value: result }
      return [{ type: part.type, toolCallId, toolName, output, ...options }]
    }
    default:
      // Sources and requests for approval are no part of a prompt.
      return []
  }
}

function parseInput(input: string): unknown {
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

/** Returns a text that two messages share when they say the same, whatever a provider added to them. */
export function gistOf({ role, content }: Message): string {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return JSON.stringify([role, ...parts.flatMap(gistOfPart)])
}

function gistOfPart(part: object): readonly unknown[] {
  const { type, text, toolCallId, mediaType } = part as Readonly<Record<string, unknown>>
  if (type === 'reasoning' || text === '') return []
  if (toolCallId !== undefined) return [[type, toolCallId]]
  return [text ?? [type, mediaType]]
}

type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>
/** A part of the stream of a model. */
export type StreamPart =
  Awaited<ReturnType<WrapStream>>['stream'] extends ReadableStream<infer Part> ? Part : never

type TextPart = Extract<AnswerPart, { readonly type: 'text' | 'reasoning' }>

/** The answer that a stream has sent so far. */
type StreamedAnswer = {
  readonly add: (part: StreamPart) => void
  /** The parts of the answer in their order; `undefined` after an error. */
  readonly parts: () => readonly AnswerPart[] | undefined
}

/** Collects the answer of a stream. */
export function answerOfStream(): StreamedAnswer {
  const parts: AnswerPart[] = []
  const texts = new Map<string, number>()
  let hasFailed = false
  return {
    parts: () => (hasFailed ? undefined : parts),
    add: (part) => {
      if (part.type === 'error') hasFailed = true
      const text = textOf(part)
      if (text === undefined) {
        if (wholeParts.has(part.type)) parts.push(part as AnswerPart)
        return
      }
      const key = `${text.type} ${text.id}`
      const at = texts.get(key) ?? parts.length
      parts[at] = joined(parts[at], text)
      texts.set(key, at)
    },
  }
}

/** The parts that a stream sends whole. */
const wholeParts: ReadonlySet<string> = new Set([
  ...['tool-call', 'tool-result', 'file', 'reasoning-file', 'custom'],
])

type TextPiece = { readonly type: 'text' | 'reasoning'; readonly id: string } & Pick<
  TextPart,
  'providerMetadata'
> & { readonly delta?: string | undefined }

/** Returns a piece of a text or of a thought; `undefined` for any other part. */
function textOf(part: StreamPart): TextPiece | undefined {
  const [, type] = /^(text|reasoning)-(?:start|delta|end)$/.exec(part.type) ?? []
  return type === undefined ? undefined : ({ ...part, type } as TextPiece)
}

function joined(before: AnswerPart | undefined, piece: TextPiece): AnswerPart {
  const { type, delta = '', providerMetadata } = piece
  const { text = '', ...rest } = (before ?? { type }) as Partial<TextPart>
  // The last metadata holds, such as the signature that comes at the end of a thought.
  const metadata = providerMetadata === undefined ? {} : { providerMetadata }
  return { ...rest, text: text + delta, ...metadata } as TextPart
}
