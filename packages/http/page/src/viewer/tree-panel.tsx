import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { FindBar } from './find-bar.tsx'
import type { ShownReading } from './reading-choice.ts'
import { SelectedPanel } from './selected-panel.tsx'
import { TreeView } from './tree-view.tsx'
import type { OpenedDocument } from './use-viewer.ts'
import type { RowView } from './view-row.ts'

type Props = {
  readonly opened: OpenedDocument
  /** A node to show first. */
  readonly focused: number | undefined
  readonly showReading: (reading: ShownReading) => void
}

/** The rows of the tree: their number, and a number that changes with any of them. */
export type TreeState = {
  readonly count: number
  readonly version: number
  /** The chosen row. */
  readonly row: number
}

/** Changes the rows of the tree. */
export type ChangeTree = (changed: {
  readonly count: number
  readonly row?: number | undefined
}) => void

/** Shows a document as a tree, with what finds values in it and what describes the chosen one. */
export function TreePanel({ opened, focused, showReading }: Props): JSX.Element {
  const { calls } = opened
  const [tree, setTree] = useState<TreeState>({ count: opened.count, version: 0, row: 0 })
  const [chosen, setChosen] = useState<RowView>()
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
      {chosen !== undefined && tree.count > 0 && (
        <SelectedPanel
          key={chosen.node}
          calls={calls}
          node={chosen.node}
          showReading={showReading}
        />
      )}
    </>
  )
}
