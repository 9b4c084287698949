import { useEffect, useRef, useState } from 'preact/hooks'
import { Loading } from '../parts/lazy.tsx'
import { saveCsv } from '../parts/save-file.ts'
import { Button, MoreButton } from '../parts/section.tsx'
import { ScrollArea } from '../parts/table.tsx'
import { Found } from './conversation-view.tsx'
import { showInLine } from './preview-node.ts'
import type { Table, TablePart, TableRow } from './readings.ts'
import type { ViewerCalls } from './use-viewer.ts'

type Props = {
  readonly calls: ViewerCalls
  readonly node: number
  readonly find: string
  readonly showInTree: (node: number) => void
}

type Sort = NonNullable<TablePart['sort']>

/** The number of rows that are shown at a time. */
const pageSize = 50

/** Shows a list of objects as a table, which is sorted by a column, and saved. */
export function TableView({ calls, node, find, showInTree }: Props): JSX.Element {
  const [table, setTable] = useState<Table>()
  const [sort, setSort] = useState<Sort>()
  const latest = useRef<unknown>(undefined)
  const read = async (before: readonly TableRow[]) => {
    const request = { node, find, sort }
    latest.current = request
    const stretch = { from: before.length, to: before.length + pageSize }
    const next = await calls.table({ ...request, ...stretch })
    if (latest.current === request) setTable({ ...next, rows: [...before, ...next.rows] })
  }
  useEffect(() => {
    read([])
  }, [node, find, sort])
  if (table === undefined) return <Loading what="Reading the table" />
  const { columns, hidden, total, rows } = table
  const save = async () => saveCsv(await calls.csv({ node }), 'table.csv')
  return (
    <>
      {find !== '' && <Found count={total} />}
      <ScrollArea class="scroll values" name="The list as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Row</th>
              {columns.map((name) => (
                <ColumnHead key={name} name={name} sort={sort} setSort={setSort} />
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
      <p class="buttons">
        <MoreButton left={total - rows.length} onClick={() => read(rows)} />
        <Button name="Save as CSV" onClick={save} />
      </p>
    </>
  )
}

type HeadProps = {
  readonly name: string
  readonly sort: Sort | undefined
  readonly setSort: (sort: Sort) => void
}

function ColumnHead({ name, sort, setSort }: HeadProps): JSX.Element {
  const isSorted = sort?.column === name
  const isDescending = isSorted && sort.descending
  return (
    <th scope="col" {...(isSorted && { 'aria-sort': isDescending ? 'descending' : 'ascending' })}>
      <button
        type="button"
        class="quiet"
        onClick={() => setSort({ column: name, descending: isSorted && !isDescending })}
      >
        <bdi>{showInLine(name)}</bdi>
        {isSorted && <span aria-hidden="true">{isDescending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  )
}

/** Matches a number as JSON writes it. */
const isNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

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
        <td key={at} class={isNumber.test(cell ?? '') ? 'number' : undefined}>
          <bdi dir="auto">{cell}</bdi>
        </td>
      ))}
    </tr>
  )
}
