import { useRef, useState } from 'preact/hooks'
import { keepList, storedList } from '../place.ts'

/** A list that is shown, its latest value for what runs later, and what shows another. */
export type StoredList<T> = {
  readonly list: T | undefined
  readonly latest: { readonly current: T | undefined }
  readonly show: (shown: T) => void
}

/** Holds a list, which an entry of the history that is returned to shows at once. */
export function useStoredList<T>(path: string): StoredList<T> {
  const [list, setList] = useState(() => storedList<T>(path))
  const latest = useRef(list)
  const show = (shown: T) => {
    latest.current = shown
    keepList(path, shown)
    setList(() => shown)
  }
  return { list, latest, show }
}
