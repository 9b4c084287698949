import { useEffect } from 'preact/hooks'

/** Sets the title of the document. */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = name === '' ? 'Heirloom' : `${name} · Heirloom`
  }, [name])
}
