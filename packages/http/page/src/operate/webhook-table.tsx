import type { JSX } from 'preact'
import type { WebhookList } from '../../../src/api/operator-schemas.ts'
import type { ReadonlyStatic } from '../../../src/api/schema-parts.ts'
import { Moment } from '../parts/moment.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'

export declare namespace WebhookTable {
  type List = ReadonlyStatic<typeof WebhookList>
}

/** Shows the webhooks, and which of them do not accept their events. */
export function WebhookTable({ list: { items } }: { list: WebhookTable.List }): JSX.Element {
  if (items.length === 0) return <p class="hint">This server has no webhooks.</p>
  return (
    <ScrollArea class="scroll" name="Webhooks table">
      <table class="history">
        <thead>
          <tr>
            <th scope="col">Receiver</th>
            <th scope="col">Last delivered</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ id, url, delivered, failing }) => (
            <tr key={id}>
              <th scope="row" class="what">
                {url}
              </th>
              <td>{delivered ?? 'Nothing yet'}</td>
              <td class="what">
                {failing === null ? (
                  'Accepts'
                ) : (
                  <>
                    {failing.problem},{' '}
                    {failing.attempts === 1 ? 'once' : `${failing.attempts} times`}; next try{' '}
                    <Moment at={failing.nextAt} />
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
