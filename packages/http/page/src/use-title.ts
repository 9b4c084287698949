import { useEffect } from 'preact/hooks'

/** Names the view in the title of the document. */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = name === '' ? 'Heirloom' : `${name} · Heirloom`
  }, [name])
}
