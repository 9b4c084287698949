import { Failure } from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { operations } from '../../api/operations/operations.ts'
import {
  type OperationName,
  pathOf,
  paths,
  routeOf,
  wellKnownPaths,
} from '../../api/operations/paths.ts'
import { version } from '../../api/version.ts'
import { permissionFor } from '../api-keys/authorize.ts'
import type { KeylessAct } from '../api-keys/key-ring.ts'
import type { AcceptedProofs } from '../request/accepted-proofs.ts'

type Parts = {
  readonly gate: Pick<AcceptedProofs, 'originOf'>
  /** The acts that need no API key. */
  readonly keyless: readonly KeylessAct[]
  /** The URI for reports of weaknesses; without it there is no `security.txt`. */
  readonly securityContact: string | undefined
}

/** A document of a server at this origin, and whether it serves an operation to anyone. */
type Making = { readonly origin: string; readonly isOpen: (name: OperationName) => boolean }

const makers = {
  [wellKnownPaths.agentCard]: agentCard,
  [wellKnownPaths.agentRegistration]: agentRegistration,
  [wellKnownPaths.mcpServer]: mcpServer,
  [wellKnownPaths.mcpServerCard]: mcpServer,
} as const

/**
 * Registers what a server says of itself: to A2A, to registries of MCP and of ERC-8004, and to those who
 * report a weakness. Nothing of it names an origin that the server does not know.
 */
export function wellKnownRoutes(server: FastifyInstance, parts: Parts): void {
  const isOpen = (name: OperationName) => {
    const { method, path: url } = routeOf(name)
    const isServed = server.hasRoute({ method, url })
    return isServed && permissionFor(method, url, openActsOf(parts)) === 'anyone'
  }
  for (const [path, make] of Object.entries(makers)) {
    server.get(path, hidden, async (request, reply) => {
      const origin = parts.gate.originOf(request)
      if (origin === undefined) throw notFound(request)
      return reply.header('cache-control', 'no-cache').send(make({ origin, isOpen }))
    })
  }
  server.get(wellKnownPaths.security, hidden, async (request, reply) => {
    const { securityContact: contact, gate } = parts
    if (contact === undefined) throw notFound(request)
    const text = securityText({ contact, origin: gate.originOf(request), now: Date.now() })
    return reply.type('text/plain; charset=utf-8').send(text)
  })
}

const hidden = { schema: { hide: true } }

const openActsOf = ({ keyless }: Parts) => keyless.filter((act) => act !== 'snapshot')

/** Returns the failure of a document that this server does not have. */
export const notFound = ({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): Failure =>
  new Failure('route/not-found', { method, path: url.slice(0, 200) })

const title = 'Heirloom'
const description = 'Agent memory you can own, prove, pass on and trade.'

const names = Object.keys(paths) as OperationName[]

/**
 * Returns the card of A2A (version 1.0). Its interface is that of MCP: this server takes no tasks, and a
 * client of A2A sees by the name of the binding that it cannot send it one.
 */
function agentCard({ origin, isOpen }: Making) {
  const skills = names.filter((name) => isOpen(name) && isSkill(name))
  const mcp = { protocolBinding: 'MCP', protocolVersion: '1.0', url: `${origin}${pathOf('mcp')}` }
  return {
    name: title,
    description,
    version: version(),
    supportedInterfaces: [mcp],
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    documentationUrl: `${origin}/llms.txt`,
    skills: skills.map(skillOf),
  }
}

const isSkill = (name: OperationName) => ['memory', 'marketplace'].includes(operations[name].tag)

function skillOf(name: OperationName) {
  const { summary, description, tag } = operations[name]
  return { id: name, name: summary, description, tags: [tag], examples: [paths[name]] }
}

/** Returns the manifest of a registry of MCP: its name is that of the host, from the end on. */
function mcpServer({ origin }: Pick<Making, 'origin'>) {
  const { hostname } = new URL(origin)
  const namespace = hostname
    .replaceAll(/[^a-zA-Z0-9.-]/g, '')
    .split('.')
    .reverse()
    .join('.')
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${namespace || 'localhost'}/heirloom`,
    title,
    description,
    version: version(),
    websiteUrl: origin,
    remotes: [{ type: 'streamable-http', url: `${origin}${pathOf('mcp')}` }],
  }
}

/** Returns the registration file of ERC-8004, which an owner of an agent may point its identity to. */
function agentRegistration({ origin, isOpen }: Making) {
  return {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: title,
    description,
    image: `${origin}/card.png`,
    services: [
      { name: 'web', endpoint: `${origin}/` },
      { name: 'A2A', endpoint: `${origin}${wellKnownPaths.agentCard}`, version: '1.0' },
      { name: 'MCP', endpoint: `${origin}${pathOf('mcp')}` },
      { name: 'OpenAPI', endpoint: `${origin}/openapi.json` },
    ],
    x402Support: isOpen('rentByX402'),
    active: true,
    registrations: [],
  }
}

type Contact = {
  readonly contact: string
  readonly origin: string | undefined
  /** In milliseconds since 1970. */
  readonly now: number
}

/** The time for which the text counts, in milliseconds; RFC 9116 advises less than a year. */
const validFor = 30 * 86_400_000

/** Returns the text of RFC 9116. */
function securityText({ contact, origin, now }: Contact): string {
  const canonical = origin?.startsWith('https:')
    ? [`Canonical: ${origin}${wellKnownPaths.security}`]
    : []
  const expires = new Date(now + validFor).toISOString().replace(/\.\d+Z$/, 'Z')
  return [`Contact: ${contact}`, `Expires: ${expires}`, ...canonical, ''].join('\n')
}
