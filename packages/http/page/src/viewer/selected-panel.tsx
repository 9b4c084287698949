import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { CopyButton } from '../parts/copy-button.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import type { Details } from './open-document.ts'
import { showInLine } from './preview-node.ts'
import type { ShownReading } from './reading-choice.ts'
import type { ViewerCalls } from './use-viewer.ts'

type Props = {
  readonly calls: ViewerCalls
  readonly node: number
  readonly showReading: (reading: ShownReading) => void
}

const readingNames = {
  conversation: 'Show as a conversation',
  table: 'Show as a table',
  markdown: 'Show as Markdown',
} as const

/** Shows the chosen value: its path, its whole text, and what can be copied. */
export function SelectedPanel({ calls, node, showReading }: Props): JSX.Element | undefined {
  const [details, setDetails] = useState<Details>()
  useEffect(() => {
    calls.details({ node }).then(setDetails, () => undefined)
  }, [node])
  if (details === undefined) return undefined
  const { path, text, left, canCopy, reading } = details
  return (
    <section class="selected" aria-label="The chosen value">
      <p>
        <code class="wrap">{showInLine(path)}</code>
      </p>
      <p class="buttons">
        <CopyButton name="Copy path" what="path" read={() => path} />
        {canCopy ? (
          <CopyButton name="Copy value" what="value" read={() => calls.copy({ node })} />
        ) : (
          <small class="hint">This value is too long to copy. Save the memory instead.</small>
        )}
        {reading !== undefined && (
          <button type="button" onClick={() => showReading({ kind: reading, node, path })}>
            {readingNames[reading]}
          </button>
        )}
      </p>
      <ScrollArea class="preview" name="The whole value">
        <pre dir="auto">{text}</pre>
        {left > 0 && <p class="hint">{left.toLocaleString('en')} more characters are not shown.</p>}
      </ScrollArea>
    </section>
  )
}
