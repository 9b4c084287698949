import type { JSX } from 'preact'
import type { Health } from './read-as-operator.ts'

/** The names of the parts of a server, as people say them. */
const partNames: Readonly<Record<string, string>> = {
  server: 'Server',
  chain: 'Chain',
  storage: 'Storage',
  store: 'Jobs',
  disk: 'Disk',
  catalogue: 'Catalogue',
  keys: 'Sealing keys',
  memories: 'Memories',
  keyService: 'Key service',
  wallet: 'Wallet',
}

/** Shows which parts of the server answer. */
export function HealthPanel({
  health: { components, nodes = [] },
}: {
  health: Health
}): JSX.Element {
  return (
    <dl class="facts">
      {Object.entries(components).map(([part, state]) => (
        <div key={part} class={state === 'ok' ? undefined : 'bad'}>
          <dt>{partNames[part] ?? part}</dt>
          <dd>{state === 'ok' ? 'OK' : <code>{state}</code>}</dd>
        </div>
      ))}
      {nodes.map(({ place, state, height, lag }) => (
        <div key={place} class={state === 'up' || state === 'unknown' ? undefined : 'bad'}>
          <dt>Node {place}</dt>
          <dd>
            {state}
            {height !== undefined && `, block ${height}`}
            {lag !== undefined && lag > 0 && `, ${lag} behind`}
          </dd>
        </div>
      ))}
    </dl>
  )
}
