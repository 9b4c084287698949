/** The memory that a snippet uses. */
export type Used = {
  readonly tokenId: string
  /** The address of the server, without a slash at its end. */
  readonly url: string
  /** The format of the memory, where its creator shows one. */
  readonly format: string | undefined
  /** The id of the grant by which one reads it; absent for its owner and renters. */
  readonly grant?: string | undefined
}

/** A way to use a memory that one may open: what it is for, and what to copy. */
export type Use = {
  readonly name: string
  /** Says where the text belongs, and what it does. */
  readonly about: string
  readonly text: string
}

/** Stands for the private key of the wallet that owns or rents the memory. */
export const keyMark = '0x…'

/** Runs the command line, wherever npm is. It names the package: any stranger may own one named as a command. */
export const npx = 'npx -y -p node@24 -p @heirloom/http'

/** Returns the ways to use a memory; a test runs each of them. */
export const usesOf = (of: Used): readonly Use[] =>
  allUsesOf(of).filter(({ name }) => of.grant === undefined || name !== 'Letta')

const allUsesOf = (of: Used): readonly Use[] => [
  {
    name: 'Claude',
    about: `In a terminal, for Claude Code. Then ask it anything that ${subjectOf(of)} knows.`,
    text: `claude mcp add heirloom --env HEIRLOOM_URL=${of.url} --env HEIRLOOM_PRIVATE_KEY=${keyMark} -- ${npx} heirloom mcp`,
  },
  {
    name: 'MCP',
    about: `In the settings of Claude Desktop, Cursor or any agent that speaks MCP.${of.grant === undefined ? '' : ` Then ask it anything that ${subjectOf(of)} knows.`}`,
    text: mcpSettings(of),
  },
  {
    name: 'Command',
    about: 'Saves the memory once it is checked against the chain, and asks it a question.',
    text: `export HEIRLOOM_URL=${of.url} HEIRLOOM_PRIVATE_KEY=${keyMark}
${npx} heirloom download ${of.tokenId}${byGrant(of)} -o memory-${of.tokenId}.json
${npx} heirloom search-in ${of.tokenId} "What do users prefer?"${byGrant(of)}`,
  },
  {
    name: 'TypeScript',
    about: 'With @heirloom/client and viem.',
    text: `${clientFor(of)}
const { data } = await ${readerOf(of)}.download('${of.tokenId}')
console.log(data)`,
  },
  { name: 'Python', about: 'With heirloom.py and eth-account.', text: pythonFor(of) },
  {
    name: 'Letta',
    about:
      of.format === 'letta-af'
        ? 'Writes an agent file. Import it in Letta.'
        : 'Writes the files of the memory. Add them to a folder of your agent in Letta.',
    text: `export HEIRLOOM_URL=${of.url} HEIRLOOM_PRIVATE_KEY=${keyMark}
${npx} heirloom export ${of.tokenId} memory-${of.tokenId}`,
  },
  {
    name: 'LangGraph',
    about: 'A tool for your agent: it answers from this memory.',
    text: `import { tool } from '@langchain/core/tools'
import { z } from 'zod'
${clientFor(of)}
export const remember = tool(
  async ({ question }) => JSON.stringify(await ${readerOf(of)}.searchIn('${of.tokenId}', question, { each: 'item' })),
  { name: 'remember', description: '${described}', schema: z.object({ question: z.string() }) },
)`,
  },
  {
    name: 'Mastra',
    about: 'A tool for your agent: it answers from this memory.',
    text: `import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
${clientFor(of)}
export const remember = createTool({
  id: 'remember',
  description: '${described}',
  inputSchema: z.object({ question: z.string() }),
  execute: ({ question }) => ${readerOf(of)}.searchIn('${of.tokenId}', question, { each: 'item' }),
})`,
  },
]

const subjectOf = ({ tokenId, grant }: Used): string =>
  `memory No. ${tokenId}${grant === undefined ? '' : `, read by the grant ${grant},`}`

const byGrant = ({ grant }: Used): string => (grant === undefined ? '' : ` --grant ${grant}`)

const readerOf = ({ grant }: Used): string =>
  grant === undefined ? 'client' : `client.granted('${grant}')`

const described = 'Answers a question from what another agent has learned.'

const mcpSettings = ({ url }: Used): string =>
  JSON.stringify(
    {
      mcpServers: {
        heirloom: {
          command: 'npx',
          args: [...npx.split(' ').slice(1), 'heirloom', 'mcp'],
          env: { HEIRLOOM_URL: url, HEIRLOOM_PRIVATE_KEY: keyMark },
        },
      },
    },
    undefined,
    2,
  )

const clientFor = ({ url }: Used): string => `import { createClient } from '@heirloom/client'
import { privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(process.env.HEIRLOOM_PRIVATE_KEY as \`0x\${string}\`)
const client = createClient({ url: '${url}', account })`

const pythonFor = ({ tokenId, url, grant }: Used): string => `import os
from eth_account import Account
from eth_account.messages import encode_defunct
from heirloom import Heirloom

account = Account.from_key(os.environ["HEIRLOOM_PRIVATE_KEY"])
sign = lambda text: account.sign_message(encode_defunct(text=text)).signature
client = Heirloom("${url}", address=account.address, sign=sign)
print(client${grant === undefined ? '' : `.granted("${grant}")`}.download("${tokenId}").data)`
