import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tier } from '../../tier.ts'
import { hostCommand } from './hosted-command.ts'
import { serverProgram } from './server.ts'

/** A program for a shell: it has the commands of `heirloom` run in this process. */
export type CommandHost = {
  /** The text of the program. */
  readonly program: string
  readonly close: () => Promise<void>
}

/** Starts a host of the commands of the packed program; in the long tier each command is a process. */
export const hostCommands = async (): Promise<CommandHost | undefined> =>
  tier === 'long' ? undefined : startCommandHost()

/**
 * Starts a host of commands. Its program sends words, environment, folder and standard input, and
 * prints what comes back; SIGTERM stops a command as it stops a process. What runs on a terminal, or
 * speaks through the streams of its process, runs in a process of its own. A shell reads a line byte
 * by byte, so only the length of an output is in one.
 */
async function startCommandHost(): Promise<CommandHost> {
  const server = createServer((socket) => void serve(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const folder = process.cwd()
  return {
    program: shellProgram(port),
    close: async () => {
      server.close()
      await once(server, 'close')
      process.chdir(folder)
    },
  }
}

const shellProgram = (port: number) => `#!/bin/bash
if [ -t 0 ] || [ -t 1 ] || [ "$1" = mcp ]; then exec '${process.execPath}' '${serverProgram}' "$@"; fi
exec 3<>/dev/tcp/127.0.0.1/${port}
trap 'printf "stop\\0" >&3' TERM INT
{ printf '%s\\0' "$PWD" "$#" "$@"; env -0; printf '\\0'; } >&3
if [ -p /dev/stdin ] || [ -f /dev/stdin ]; then base64 -w0 >&3; fi
printf '\\0' >&3
while :; do
  if read -r kind number <&3; then
    case $kind in
      out) head -c "$number" <&3 || exit 0 ;;
      err) head -c "$number" <&3 >&2 ;;
      code) exit "$number" ;;
    esac
  elif [ $? -le 128 ]; then exit 1; fi
done
`

/** Runs the command that a socket brings, and sends what it prints and its exit code. */
async function serve(socket: Socket): Promise<void> {
  socket.on('error', () => undefined)
  const fields = fieldsOf(socket)
  const next = async () => (await fields.next()).value ?? ''
  const folder = await next()
  const words: string[] = []
  for (let left = Number(await next()); left > 0; left--) words.push(await next())
  const env: Record<string, string> = {}
  for (let entry = await next(); entry !== ''; entry = await next()) {
    const at = entry.indexOf('=')
    env[entry.slice(0, at)] = entry.slice(at + 1)
  }
  const input = Buffer.from(await next(), 'base64')
  // All commands of a guide run in its folder, also those that run at the same time.
  process.chdir(folder)
  const { stdout, stderr, code, stop } = hostCommand({ words, env, input })
  const send = (kind: string) => (data: Buffer) => {
    socket.write(`${kind} ${data.length}\n`)
    socket.write(data)
  }
  stdout.on('data', send('out'))
  stderr.on('data', send('err'))
  void next().then(stop, stop)
  socket.end(`code ${await code}\n`)
}

/** Returns the fields of a stream, which a zero byte ends. */
async function* fieldsOf(socket: Socket): AsyncGenerator<string, string> {
  let pending = Buffer.alloc(0)
  for await (const chunk of socket) {
    pending = Buffer.concat([pending, chunk])
    for (let end = pending.indexOf(0); end >= 0; end = pending.indexOf(0)) {
      yield pending.toString('utf8', 0, end)
      pending = pending.subarray(end + 1)
    }
  }
  return ''
}
