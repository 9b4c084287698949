import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Loading } from '../parts/lazy.tsx'
import { ScrollArea } from '../parts/table.tsx'
import { showInLine } from './preview-node.ts'
import type { Table, TableRow } from './readings.ts'
import type { ViewerCalls } from './use-viewer.ts'

type Props = {
  readonly calls: ViewerCalls
  readonly node: number
  readonly showInTree: (node: number) => void
}

/** The number of rows that are shown at a time. */
const pageSize = 50

/** Shows a list of objects as a table. */
export function TableView({ calls, node, showInTree }: Props): JSX.Element {
  const [table, setTable] = useState<Table>()
  const more = async () => {
    const rows = table?.rows ?? []
    const next = await calls.table({ node, from: rows.length, to: rows.length + pageSize })
    setTable({ ...next, rows: [...rows, ...next.rows] })
  }
  useEffect(() => {
    more()
  }, [node])
  if (table === undefined) return <Loading what="Reading the table" />
  const { columns, hidden, total, rows } = table
  return (
    <>
      <ScrollArea class="scroll values" name="The list as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Row</th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  <bdi>{showInLine(name)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <TableLine key={row.node} row={row} index={index} showInTree={showInTree} />
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {hidden > 0 && <p class="hint">{hidden} more names have no column. The tree has all.</p>}
      {total > rows.length && (
        <button type="button" onClick={more}>
          Show more ({(total - rows.length).toLocaleString('en')} left)
        </button>
      )}
    </>
  )
}

type LineProps = {
  readonly row: TableRow
  readonly index: number
  readonly showInTree: (node: number) => void
}

function TableLine({ row: { node, cells }, index, showInTree }: LineProps): JSX.Element {
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="quiet"
          title="Show in the tree"
          onClick={() => showInTree(node)}
        >
          {index}
          <span class="unseen">, show in the tree</span>
        </button>
      </th>
      {cells.map((cell, at) => (
        <td key={at}>
          <bdi dir="auto">{cell}</bdi>
        </td>
      ))}
    </tr>
  )
}
