import { useEffect, useState } from 'preact/hooks'
import type { ViewerCalls } from './use-viewer.ts'
import type { RowView } from './view-row.ts'

/** Returns the rows of a stretch; those before stay until they are there. */
export function useRows(
  calls: ViewerCalls,
  version: number,
  from: number,
  to: number,
): readonly RowView[] {
  const [rows, setRows] = useState<readonly RowView[]>([])
  useEffect(() => {
    let isCurrent = true
    calls.rows({ from, to }).then(
      (found) => isCurrent && setRows(found),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [version, from, to])
  return rows
}
