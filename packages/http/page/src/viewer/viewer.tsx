import { useState } from 'preact/hooks'
import { useAnswer } from '../api/use-answer.ts'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Button } from '../parts/section.tsx'
import { Lines, Rest, UserText } from '../parts/user-text.tsx'
import { ConversationView } from './conversation-view.tsx'
import { MarkdownText } from './markdown-view.tsx'
import { bestReading } from './readings.ts'
import { TableView } from './table-view.tsx'
import { TreePanel } from './tree-panel.tsx'
import {
  describeReading,
  type OpenedDocument,
  type ShownReading,
  useViewer,
  type ViewerCalls,
} from './use-viewer.ts'

/** Shows a JSON document in its best reading, with a list of the others; as a tree where it has none. */
export function Viewer({ document }: { readonly document: Blob }): JSX.Element {
  const { opened, problem } = useViewer(document)
  if (problem !== undefined) return <ProblemNotice problem={problem} />
  if (opened === undefined) return <Loading what="Reading the memory" />
  return <OpenedViewer opened={opened} />
}

function OpenedViewer({ opened }: { readonly opened: OpenedDocument }): JSX.Element {
  const { calls, readings } = opened
  const [reading, setReading] = useState<ShownReading | undefined>(() => bestReading(readings))
  const [focused, setFocused] = useState<number>()
  const showInTree = (node: number) => {
    setReading(undefined)
    setFocused(node)
  }
  const isListed = readings.some(({ node }) => node === reading?.node)
  const listed = [...readings, ...(isListed || reading === undefined ? [] : [reading])]
  return (
    <section class="viewer" aria-label="The contents of the memory">
      {listed.length > 0 && (
        <nav aria-label="In this memory">
          <ul>
            {listed.map((it) => (
              <Choice
                key={it.node}
                name={describeReading(it)}
                isChosen={it.node === reading?.node}
                choose={() => setReading(it)}
              />
            ))}
            <Choice
              name="Everything, as a tree"
              isChosen={reading === undefined}
              choose={() => setReading(undefined)}
            />
          </ul>
        </nav>
      )}
      <div>
        {reading === undefined ? (
          <TreePanel opened={opened} focused={focused} showReading={setReading} />
        ) : (
          <ReadingView key={reading.node} calls={calls} reading={reading} showInTree={showInTree} />
        )}
      </div>
    </section>
  )
}

type ChoiceProps = {
  readonly name: string
  readonly isChosen: boolean
  readonly choose: () => void
}

function Choice({ name, isChosen, choose }: ChoiceProps): JSX.Element {
  return (
    <li>
      <Button class="quiet" name={<bdi>{name}</bdi>} aria-current={isChosen} onClick={choose} />
    </li>
  )
}

type ReadingProps = {
  readonly calls: OpenedDocument['calls']
  readonly reading: ShownReading
  readonly showInTree: (node: number) => void
}

function ReadingView({ calls, reading, showInTree }: ReadingProps): JSX.Element {
  const [find, setFind] = useState('')
  const { kind, node } = reading
  const shared = { calls, node, find }
  return (
    <>
      <p class="find">
        <input
          type="search"
          aria-label="Find here"
          placeholder="Find here"
          autocomplete="off"
          spellcheck={false}
          value={find}
          onInput={({ currentTarget }) => setFind(currentTarget.value)}
        />
        <Button name="Show in the tree" onClick={() => showInTree(node)} />
      </p>
      {kind === 'conversation' && <ConversationView key={find} {...shared} />}
      {kind === 'blocks' && <BlocksView {...shared} />}
      {kind === 'table' && <TableView {...shared} showInTree={showInTree} />}
      {kind === 'markdown' && <MarkdownText {...shared} />}
    </>
  )
}

type Props = { readonly calls: ViewerCalls; readonly node: number; readonly find: string }

/** Shows the blocks of an agent's memory that have a text, each under its label. */
function BlocksView({ calls, node, find }: Props): JSX.Element {
  const { last: blocks } = useAnswer(() => calls.blocks({ node }), [node])
  if (blocks === undefined) return <Loading what="Reading the blocks" />
  const needle = find.toLowerCase()
  const found = blocks.filter(({ label, text }) =>
    `${label}\n${text}`.toLowerCase().includes(needle),
  )
  return (
    <ul class="blocks">
      {found.map((it) => (
        <li key={it.node}>
          <h3>
            <UserText of={it.label} />
          </h3>
          <Lines of={it.text} />
          <Rest of={it.left} />
        </li>
      ))}
    </ul>
  )
}
