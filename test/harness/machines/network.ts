import { execFileSync } from 'node:child_process'
import { openGate, type TcpGate } from '../chain/tcp-gate.ts'

/** The network between a machine and the services that all machines share. */
export type MachineNetwork = {
  /** The address that the server of the machine listens at. */
  readonly host: string
  /** Returns the address under which the machine reaches a service of loopback. */
  readonly reach: (service: URL) => Promise<URL>
  /** Returns the command line that runs a program on the machine. */
  readonly command: (program: string, words: readonly string[]) => [string, string[]]
  /** Cuts the machine off: nothing passes in any direction, and nobody is told. */
  readonly cut: () => void
  readonly heal: () => void
  readonly remove: () => Promise<void>
}

const ip = (...words: readonly string[]) => execFileSync('ip', words, { stdio: 'pipe' })

/** Returns whether this process may make network namespaces. */
export function canMakeNamespaces(): boolean {
  const name = `heirloom-try-${process.pid}`
  try {
    ip('netns', 'add', name)
    ip('netns', 'delete', name)
    return true
  } catch {
    return false
  }
}

/**
 * Makes a network namespace with one cable to this host. `place` is unique on this host, 0 to 16,383:
 * it names the namespace and its addresses, which are of the range for benchmarks (RFC 2544).
 */
export function namespaceNetwork(place: number): MachineNetwork {
  const name = `heirloom-${process.pid}-${place}`
  const cable = `hl${process.pid}-${place}`.slice(0, 15)
  const [low, high] = [(place * 4) % 256, Math.floor(place / 64) % 256]
  const [here, there] = [`198.18.${high}.${low + 1}`, `198.18.${high}.${low + 2}`]
  ip('netns', 'add', name)
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  ip('address', 'add', `${here}/30`, 'dev', cable)
  ip('link', 'set', cable, 'up')
  for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up')
  ip('-n', name, 'address', 'add', `${there}/30`, 'dev', 'eth0')
  const gates: TcpGate[] = []
  return {
    host: there,
    reach: reachThrough(gates, here),
    command: (program, words) => ['ip', ['netns', 'exec', name, program, ...words]],
    cut: () => void ip('link', 'set', cable, 'down'),
    heal: () => void ip('link', 'set', cable, 'up'),
    remove: async () => {
      await Promise.all(gates.map((gate) => gate.close()))
      // The cable goes with its end inside.
      ip('netns', 'delete', name)
    },
  }
}

/**
 * Returns a network of loopback, for a machine without the right to make namespaces. A cut stops what
 * the machine sends to the services; its clients still reach it.
 */
export function loopbackNetwork(): MachineNetwork {
  const gates: TcpGate[] = []
  return {
    host: '127.0.0.1',
    reach: reachThrough(gates, '127.0.0.1'),
    command: (program, words) => [program, [...words]],
    cut: () => {
      for (const gate of gates) gate.stall()
    },
    heal: () => {
      for (const gate of gates) gate.open()
    },
    remove: async () => {
      await Promise.all(gates.map((gate) => gate.close()))
    },
  }
}

/** Returns a function that opens a gate at a host for a service. */
const reachThrough =
  (gates: TcpGate[], host: string): MachineNetwork['reach'] =>
  async (service) => {
    const gate = await openGate(Number(service.port), host)
    gates.push(gate)
    return Object.assign(new URL(service), { host: `${host}:${gate.port}` })
  }
