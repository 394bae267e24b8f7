// The checks of `tenantry doctor` that concern the ports of `start`.
import { createServer } from 'node:net'
import { ListenError, openPort } from '../../../server/listening.ts'
import { type ListedEmulator, listRunning } from '../../machine-list.ts'
import { type Finding, healthy, problem } from './finding.ts'

export interface PortOptions {
  readonly host: string
  /** 0 means any free port. */
  readonly port: number
  /** Default: the port after `port`. */
  readonly postgresPort: number | undefined
}

/** @param isServed whether the emulator of this folder runs, so that it may use the ports itself */
export async function checkPorts(
  { host, port, postgresPort }: PortOptions,
  isServed: boolean,
): Promise<readonly Finding[]> {
  const http = await refusalOf(host, port, '--port')
  const [finding, owner] = httpFinding({ host, port }, http, isServed)
  const wanted = postgresPort ?? (port === 0 ? 0 : port + 1)
  const postgres = await refusalOf(host, wanted, '--postgres-port')
  return [
    finding,
    postgresFinding(wanted, postgres, { isOwn: owner, isChosen: postgresPort !== undefined }),
  ]
}

async function refusalOf(
  host: string,
  port: number,
  option: string,
): Promise<ListenError | undefined> {
  const probe = createServer()
  try {
    await openPort(probe, { host, port }, option)
    await new Promise((resolve) => probe.close(resolve))
    return undefined
  } catch (error) {
    if (error instanceof ListenError) return error
    throw error
  }
}

/** @returns the finding, and whether an emulator uses the port */
function httpFinding(
  { host, port }: Pick<PortOptions, 'host' | 'port'>,
  refusal: ListenError | undefined,
  isServed: boolean,
): readonly [Finding, boolean] {
  if (refusal === undefined)
    return [healthy('http_port', port === 0 ? 'a free one' : `${port} is free`), false]
  if (refusal.code !== 'port_taken')
    return [
      problem('http_port', refusal.message, 'Choose another address with --host or --port.'),
      false,
    ]
  const owner = listRunning().find(({ url }) => Number(new URL(url).port) === port)
  if (isServed && (owner === undefined || owner.folder === process.cwd()))
    return [healthy('http_port', `${port} is used by the emulator of this folder`), true]
  return [taken(`Port ${port} on ${host}`, owner), owner !== undefined]
}

function taken(port: string, owner: ListedEmulator | undefined): Finding {
  return owner === undefined
    ? problem(
        'http_port',
        `${port} is in use by another program.`,
        'Stop that program, or start with --port auto, which takes a port that follows from the folder.',
      )
    : problem(
        'http_port',
        `${port} is in use by the emulator of ${owner.folder}, process ${owner.pid}.`,
        `Stop it with "tenantry stop --pid ${owner.pid}", or start with --port auto.`,
      )
}

// `start` takes any free port for Postgres clients, unless --postgres-port names one.
function postgresFinding(
  port: number,
  refusal: ListenError | undefined,
  { isChosen, isOwn }: { readonly isOwn: boolean; readonly isChosen: boolean },
): Finding {
  if (refusal === undefined)
    return healthy('postgres_port', port === 0 ? 'a free one' : `${port} is free`)
  if (isOwn) return healthy('postgres_port', `${port} is used by an emulator`)
  if (!isChosen) return healthy('postgres_port', `${port} is in use, so "start" takes a free one`)
  return problem(
    'postgres_port',
    refusal.message,
    'Stop the other program, or choose another port with --postgres-port.',
  )
}
