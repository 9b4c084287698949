/** Picks numbers and words by a seed. */
export type Random = {
  readonly next: (below: number) => number
  readonly pick: (items: readonly string[]) => string
}

type Shape = (text: string, around: string) => string

const prose = [
  'Met Ana at the station, she will bring the drawings.',
  'Deployed version 4.2 to staging; latency went down by a third.',
  'Rebalanced the portfolio on Monday, no open orders.',
  'The printer on the second floor needs toner.',
]

const line = (value: unknown): string => JSON.stringify(value)

const shapes: readonly Shape[] = [
  (text, around) =>
    line({
      agent_type: 'memgpt_agent',
      core_memory: [{ label: 'human', value: `${around} ${text}`, limit: 5000 }],
    }),
  (text, around) =>
    line({
      results: [
        { id: 'b2f1', memory: around },
        { id: 'c0aa', memory: text, metadata: { category: 'notes' } },
      ],
    }),
  (text, around) =>
    `${line({ type: 'entity', name: 'Ana', entityType: 'person', observations: [around] })}\n${line({ type: 'entity', name: 'Notes', entityType: 'topic', observations: [text] })}`,
  (text, around) =>
    line({ v: 4, channel_values: { notes: [around, text] }, channel_versions: { notes: 3 } }),
  (text, around) =>
    line({
      title: 'Chat',
      mapping: {
        a: {
          message: {
            author: { role: 'user' },
            content: { content_type: 'text', parts: [`${around}\n${text}`] },
          },
        },
      },
    }),
  (text, around) => `# Notes\n\n${around}\n\n${text}\n\n## Later\n\n${around}\n`,
  (text, around) =>
    line({
      ticket: 4411,
      status: 'open',
      comments: [
        { by: 'agent', body: around },
        { by: 'customer', body: text },
      ],
    }),
  (text, around) => `---\ntype: journal\n---\n- ${around}\n- ${text}\n`,
]

const hex = (text: string): string => Buffer.from(text).toString('hex')
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const tags = (text: string): string =>
  [...text]
    .map((c) => (c.charCodeAt(0) < 127 ? String.fromCodePoint(0xe0000 + c.charCodeAt(0)) : c))
    .join('')
const zeroWidth = (text: string): string => text.replaceAll(/([a-z])(?=[a-z])/gu, '$1\u200b')
const rot13 = (text: string): string =>
  text.replaceAll(/[a-z]/giu, (c) =>
    String.fromCharCode(c.charCodeAt(0) + (c.toLowerCase() < 'n' ? 13 : -13)),
  )

const disguises: readonly ((text: string) => string)[] = [base64, hex, tags, zeroWidth, rot13]

/** Puts a text into the shape of a file; one hostile text of ten is encoded first. */
export function wrapJudged(text: string, random: Random, hostile: boolean): string {
  const disguise =
    hostile && random.next(10) === 0 ? disguises[random.next(disguises.length)] : undefined
  const shape = shapes[random.next(shapes.length)] ?? shapes[0]
  const written = disguise?.(text) ?? text
  return shape?.(written, random.pick(prose)) ?? written
}
