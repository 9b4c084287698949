import type { LanguageModelMiddleware } from 'ai'
import type { AnswerPart } from './messages.ts'

type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>
/** A part of the stream of a model. */
export type StreamPart =
  Awaited<ReturnType<WrapStream>>['stream'] extends ReadableStream<infer Part> ? Part : never

type TextPart = Extract<AnswerPart, { readonly type: 'text' | 'reasoning' }>

/** The answer that a stream has sent so far. */
export type StreamedAnswer = {
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
