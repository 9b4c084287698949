import { useEffect, useState } from 'preact/hooks'
import { useAnswer } from '../api/use-answer.ts'
import { CopyButton } from '../parts/copyable.tsx'
import { Button } from '../parts/section.tsx'
import { ScrollArea } from '../parts/table.tsx'
import { Rest } from '../parts/user-text.tsx'
import { FindBar } from './find-bar.tsx'
import { type RowView, showInLine } from './preview-node.ts'
import { TreeView } from './tree-view.tsx'
import type {
  ChangeTree,
  OpenedDocument,
  ShownReading,
  TreeState,
  ViewerCalls,
} from './use-viewer.ts'

type Props = {
  readonly opened: OpenedDocument
  /** A node to show first. */
  readonly focused: number | undefined
  readonly showReading: (reading: ShownReading) => void
}

/** Shows a document as a tree, with what finds values in it and what describes the chosen one. */
export function TreePanel({ opened, focused, showReading }: Props): JSX.Element {
  const { calls } = opened
  const [tree, setTree] = useState<TreeState>({ count: opened.count, version: 0, row: 0 })
  const [chosen, setChosen] = useState<RowView>()
  const node = chosen?.node
  const change: ChangeTree = ({ count, row }) =>
    setTree((before) => ({
      count,
      version: before.version + 1,
      row: Math.min(row ?? before.row, Math.max(0, count - 1)),
    }))
  useEffect(() => {
    calls.showNode({ node: focused ?? 0 }).then(change, () => undefined)
  }, [focused])
  return (
    <>
      <FindBar calls={calls} change={change} row={tree.row} />
      <TreeView calls={calls} tree={tree} change={change} setChosen={setChosen} />
      {node !== undefined && tree.count > 0 && (
        <SelectedPanel key={node} calls={calls} node={node} showReading={showReading} />
      )}
    </>
  )
}

type SelectedPanelProps = {
  readonly calls: ViewerCalls
  readonly node: number
  readonly showReading: (reading: ShownReading) => void
}

const readingNames = {
  conversation: 'Show as a conversation',
  blocks: 'Show as memory blocks',
  table: 'Show as a table',
  markdown: 'Show as Markdown',
} as const

/** Shows the chosen value: its path, its whole text, and what can be copied. */
function SelectedPanel({ calls, node, showReading }: SelectedPanelProps): JSX.Element | undefined {
  const { last: details } = useAnswer(() => calls.details({ node }), [node])
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
          <Button
            name={readingNames[reading]}
            onClick={() => showReading({ kind: reading, node, path })}
          />
        )}
      </p>
      <ScrollArea class="preview" name="The whole value">
        <pre dir="auto">{text}</pre>
        <Rest of={left} />
      </ScrollArea>
    </section>
  )
}
