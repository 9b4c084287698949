import { navigate } from '../route.ts'
import { hasAlerts, watched } from '../watch-list.ts'

const texts: Readonly<Record<string, string>> = {
  listing: 'Its terms have changed.',
  sale: 'It was sold.',
  rental: 'It was rented.',
  fork: 'It was forked.',
  royalty: 'A royalty was paid for it.',
  transfer: 'It has another owner.',
}

/** Shows a notification of an event of a watched memory. */
export function alertVisitor({ type, data, lastEventId }: MessageEvent<string>): void {
  const text = texts[type.replace('dollar-', '')]
  if (!hasAlerts.value || text === undefined) return
  const { tokenId } = JSON.parse(data) as { readonly tokenId: string }
  if (!watched.value.includes(tokenId)) return
  // The tag keeps several tabs from showing one event several times.
  const notification = new Notification(`Memory No. ${tokenId}`, { body: text, tag: lastEventId })
  notification.addEventListener('click', () => {
    focus()
    navigate(`/token/${tokenId}`)
  })
}
