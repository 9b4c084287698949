import type { JSX } from 'preact'
import { toggleWatched, watched } from '../watch-list.ts'

/** Puts a memory on the watch list of this browser, or takes it off. */
export function WatchButton({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const isWatched = watched.value.includes(tokenId)
  return (
    <p class="buttons">
      <button type="button" onClick={() => toggleWatched(tokenId)}>
        {isWatched ? '★ Stop watching' : '☆ Watch'}
      </button>
    </p>
  )
}
