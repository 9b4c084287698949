import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../config/loopback.ts'
import type { KeyRing } from '../api-keys/key-ring.ts'

/**
 * Returns a hook that refuses every request whose `Host` is not ours, because a page of a foreign
 * name that was pointed at this address (DNS rebinding) would count as same-origin.
 *
 * Ours are the loopback names, the configured host, and the address that the connection reached.
 * On a loopback host the port must be ours too; elsewhere ports are commonly mapped, and a page
 * cannot gain anything from one. A server that other machines reach cannot know all its names, so
 * there any name will do where API keys are required: a rebinding page does not have one.
 *
 * @throws `request/foreign-host`, `request/malformed` for two lines of `Host`
 */
export function requireOwnHost(host: string, { isRequired }: Pick<KeyRing, 'isRequired'>) {
  if (!isLoopback(host) && isRequired) return ({ raw }: FastifyRequest) => refuseTwo(raw)
  // Nearly every request names us as the one before it did.
  let last: Reached | undefined
  return ({ raw, socket }: FastifyRequest): void => {
    refuseTwo(raw)
    const asked = hostOf(raw)
    const { localAddress: address, localPort: port } = socket
    if (last?.asked === asked && last.address === address && last.port === port) return
    if (!isOwn(asked, host, socket)) throw new Failure('request/foreign-host', { host: asked })
    last = { asked, address, port }
  }
}

/**
 * Returns the host that a request is for: that of the target where the target has one, and else
 * that of its header (RFC 9112, 3.2.2).
 */
export function hostOf({ url = '/', headers }: Named): string {
  if (url.startsWith('/')) return headers.host ?? ''
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host ?? ''
}

type Named = Pick<IncomingMessage, 'url' | 'headers'>

/** Refuses two lines of `Host`, of which others may believe the other one (RFC 9112, 3.2). */
function refuseTwo({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): void {
  let lines = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') lines += 1
  }
  if (lines < 2) return
  throw new Failure('request/malformed', { where: 'Host', problem: 'is given more than once' })
}

/** By which name a connection reached which address. */
type Reached = {
  readonly asked: string
  readonly address: string | undefined
  readonly port: number | undefined
}

function isOwn(text: string, host: string, { localAddress, localPort }: Socket): boolean {
  const asked = readHost(text)
  const names = [host, unmapped(localAddress ?? host)]
  return asked !== undefined && isOurs(asked, names) && portFits(asked, host, localPort)
}

function isOurs({ name }: Asked, names: readonly string[]): boolean {
  return isLoopback(name) || names.includes(name)
}

function portFits({ port }: Asked, host: string, ours: number | undefined): boolean {
  return !isLoopback(host) || ours === undefined || port === ours
}

type Asked = { readonly name: string; readonly port: number }

function readHost(text: string): Asked | undefined {
  const [, address, word, port = '80'] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const name = address ?? word
  return name === undefined ? undefined : { name: name.toLowerCase(), port: Number(port) }
}

// A socket that listens on :: shows IPv4 peers as ::ffff:a.b.c.d.
const unmapped = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, '')
