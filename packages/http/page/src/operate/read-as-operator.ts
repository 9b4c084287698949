import { fetchOk } from '../api/get-json.ts'
import { accessKey } from '../create/access-key.ts'

/** Fetches a path with the access key of the operator, if there is one. */
export function fetchAsOperator(path: string, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> =
    accessKey.value === '' ? {} : { authorization: `Bearer ${accessKey.value}` }
  return fetchOk(path, { headers, cache: 'no-store', signal })
}

/** The parts of a server, each with `ok` or the code of its failure, and the nodes of its chain. */
export type Health = {
  readonly components: Readonly<Record<string, string>>
  readonly nodes?: readonly {
    readonly place: number
    readonly state: string
    readonly height?: number
    readonly lag?: number
  }[]
}

/** Reads the health of the server, which it tells with 503 where a part is down. */
export async function readHealth(signal: AbortSignal): Promise<Health> {
  const response = await fetch('/readyz', { cache: 'no-store', signal })
  return (await response.json()) as Health
}
