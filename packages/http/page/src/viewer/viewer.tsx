import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { ConversationView } from './conversation-view.tsx'
import { MarkdownText } from './markdown-view.tsx'
import { TableView } from './table-view.tsx'
import { TreePanel } from './tree-panel.tsx'
import { describeReading, type OpenedDocument, type ShownReading, useViewer } from './use-viewer.ts'

/** Shows a JSON document: as a tree, and what it holds as conversations, tables and Markdown. */
export function Viewer({ document }: { readonly document: Blob }): JSX.Element {
  const { opened, problem } = useViewer(document)
  if (problem !== undefined) return <ProblemNotice problem={problem} />
  if (opened === undefined) return <Loading what="Reading the memory" />
  return <OpenedViewer opened={opened} />
}

function OpenedViewer({ opened }: { readonly opened: OpenedDocument }): JSX.Element {
  const { calls, readings } = opened
  const [reading, setReading] = useState<ShownReading>()
  const [focused, setFocused] = useState<number>()
  const showInTree = (node: number) => {
    setReading(undefined)
    setFocused(node)
  }
  const shown = reading === undefined ? [] : [reading]
  const isListed = readings.some(({ node }) => node === reading?.node)
  return (
    <section class="viewer" aria-label="The contents of the memory">
      {readings.length + shown.length > 0 && (
        <label class="field inline-choice">
          <span>Show as</span>
          <select
            value={reading?.node ?? ''}
            onChange={({ currentTarget: { value } }) =>
              setReading(readings.find(({ node }) => String(node) === value))
            }
          >
            <option value="">Tree</option>
            {[...readings, ...(isListed ? [] : shown)].map((it) => (
              <option key={it.node} value={it.node}>
                {describeReading(it)}
              </option>
            ))}
          </select>
        </label>
      )}
      {reading === undefined ? (
        <TreePanel opened={opened} focused={focused} showReading={setReading} />
      ) : (
        <ReadingView key={reading.node} calls={calls} reading={reading} showInTree={showInTree} />
      )}
    </section>
  )
}

type ReadingProps = {
  readonly calls: OpenedDocument['calls']
  readonly reading: ShownReading
  readonly showInTree: (node: number) => void
}

function ReadingView({ calls, reading, showInTree }: ReadingProps): JSX.Element {
  const { kind, node } = reading
  return (
    <>
      <p class="buttons">
        <button type="button" onClick={() => showInTree(node)}>
          Show in the tree
        </button>
      </p>
      {kind === 'conversation' && <ConversationView calls={calls} node={node} />}
      {kind === 'table' && <TableView calls={calls} node={node} showInTree={showInTree} />}
      {kind === 'markdown' && <MarkdownText calls={calls} node={node} />}
    </>
  )
}
