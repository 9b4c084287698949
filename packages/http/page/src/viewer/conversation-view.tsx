import { useEffect, useState } from 'preact/hooks'
import { Loading } from '../parts/lazy.tsx'
import { MoreButton } from '../parts/section.tsx'
import { Lines, Rest, UserText } from '../parts/user-text.tsx'
import { formatTime } from '../text/moment.ts'
import type { Message } from './conversation.ts'
import { Blocks, parseInWorker } from './markdown-view.tsx'
import type { Block } from './parse-markdown.ts'
import type { ViewerCalls } from './use-viewer.ts'

type Props = { readonly calls: ViewerCalls; readonly node: number; readonly find: string }

type Shown = Message & { readonly blocks?: readonly Block[] | undefined }

/** The number of messages that are shown at a time. */
const pageSize = 30

const names: Readonly<Record<string, string>> = {
  user: 'User',
  assistant: 'Assistant',
  system: 'System',
  tool: 'Tool',
}

/** Shows a conversation, message by message. */
export function ConversationView({ calls, node, find }: Props): JSX.Element {
  const [shown, setShown] = useState<readonly Shown[]>()
  const [total, setTotal] = useState(0)
  const more = async () => {
    const from = shown?.length ?? 0
    const page = await calls.messages({ node, from, to: from + pageSize, find })
    const messages = await withBlocks(page.messages)
    setTotal(page.total)
    setShown([...(shown ?? []), ...messages])
  }
  useEffect(() => {
    more()
  }, [node])
  if (shown === undefined) return <Loading what="Reading the conversation" />
  return (
    <>
      {find !== '' && <Found count={total} />}
      <ol class="conversation" aria-label="Messages">
        {shown.map((message) => (
          <MessageView key={message.node} of={message} />
        ))}
      </ol>
      <MoreButton left={total - shown.length} onClick={more} />
    </>
  )
}

/** Says how many parts of a reading have a text. */
export const Found = ({ count }: { readonly count: number }): JSX.Element => (
  <p class="hint" role="status">
    {count === 0 ? 'Nothing found.' : `Found in ${count.toLocaleString('en')}.`}
  </p>
)

/** Parses what assistants write, which is Markdown; without it the text is shown as it is. */
async function withBlocks(messages: readonly Message[]): Promise<readonly Shown[]> {
  const isMarkdown = ({ role }: Message) => role === 'assistant'
  const texts = messages.filter(isMarkdown).map(({ text }) => text)
  const parsed = texts.length === 0 ? [] : await parseInWorker(texts).catch(() => [])
  const blocks = parsed[Symbol.iterator]()
  return messages.map((it) => (isMarkdown(it) ? { ...it, blocks: blocks.next().value } : it))
}

/** Shows when something was said, as people write it; a text that is no time as it is. */
function Said({ at }: { readonly at: string }): JSX.Element {
  // Without a day it is none: a program takes `1` for a year.
  const time = /\d-\d\d-\d\d/.test(at) ? Date.parse(at) : Number.NaN
  return Number.isNaN(time) ? (
    <UserText of={at} />
  ) : (
    <time dateTime={at}>{formatTime(time / 1000)}</time>
  )
}

function MessageView({ of }: { readonly of: Shown }): JSX.Element {
  const { role, name, at, text, left, blocks } = of
  return (
    <li class={`message ${role}`}>
      <p class="speaker">
        <strong>{names[role] ?? role}</strong>
        {name !== undefined && ' '}
        {name !== undefined && <UserText of={name} />}
        {at !== undefined && (
          <small class="hint">
            {' '}
            <Said at={at} />
          </small>
        )}
      </p>
      {blocks === undefined ? (
        <Lines of={text} />
      ) : (
        <div class="markdown" dir="auto">
          <Blocks of={blocks} />
        </div>
      )}
      <Rest of={left} />
    </li>
  )
}
