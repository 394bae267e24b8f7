// Runs the checks of `tenantry doctor` and prints their findings.
import { printableLines } from '../../../core/printable.ts'
import { version } from '../../../core/version.ts'
import { databaseUrlOf, type WantedEngine } from '../../emulator-options.ts'
import { counted } from '../../report.ts'
import { terminal } from '../../terminal.ts'
import { checkApplication, checkDataDir, checkDisk, checkServer } from './check-folder.ts'
import { checkMachine } from './check-machine.ts'
import { checkPorts, type PortOptions } from './check-ports.ts'
import { CHECKS, type Finding } from './finding.ts'
import { type Machine, thisMachine } from './machine.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface DoctorOptions extends WantedEngine, PortOptions {
  readonly dataDir: string
  readonly json: boolean
}

/** What `--json` prints. */
interface DoctorReport {
  readonly version: string
  readonly node: string
  /** Node's names of platform and processor, such as `linux x64`. */
  readonly system: string
  /** Whether there is no problem. Notes do not count. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
}

/** Prints the findings, and sets the exit code 1 when one of them is a problem. */
export async function runDoctor(options: DoctorOptions): Promise<void> {
  const machine = thisMachine()
  const { nodeVersion: node, platform, arch } = machine
  const findings = await examine(options, machine)
  const ok = findings.every(({ state }) => state !== 'problem')
  const report: DoctorReport = { version, node, system: `${platform} ${arch}`, ok, findings }
  terminal().stdout.write(options.json ? `${JSON.stringify(report)}\n` : screen(report))
  if (!ok) terminal().exitCode = 1
}

async function examine(options: DoctorOptions, machine: Machine): Promise<readonly Finding[]> {
  const { dataDir, engine } = options
  const wanted = { engine, databaseUrl: databaseUrlOf(options) }
  const { finding, isServed, kept } = await checkDataDir(dataDir, wanted, machine)
  const server = await checkServer(dataDir, wanted, kept)
  const findings = [
    ...(await checkMachine(machine, { startsEngine: server.length === 0 })),
    ...server,
    await checkApplication(),
    finding,
    checkDisk(dataDir),
    ...(await checkPorts(options, isServed)),
  ]
  const order = Object.keys(CHECKS)
  return findings.toSorted((a, b) => order.indexOf(a.check) - order.indexOf(b.check))
}

const MARKS = { ok: '✓', note: '!', problem: '✗' } as const

function screen({ findings, node, system, version: release }: DoctorReport): string {
  const width = Math.max(...Object.values(CHECKS).map((label) => label.length)) + 2
  const lines = findings.flatMap(({ check, found, repair, state }) => [
    `${MARKS[state]} ${CHECKS[check].padEnd(width)}${found}`,
    ...(repair === null ? [] : [`  ${' '.repeat(width)}→ ${repair}`]),
  ])
  return printableLines(
    [`Tenantry ${release}, Node ${node}, ${system}`, '', ...lines, '', summary(findings), ''].join(
      '\n',
    ),
  )
}

function summary(findings: readonly Finding[]): string {
  const count = (state: Finding['state']): number =>
    findings.filter((finding) => finding.state === state).length
  const problems =
    count('problem') === 0 ? 'No problems.' : `${counted(count('problem'), 'problem')}.`
  return count('note') === 0 ? problems : `${problems} ${counted(count('note'), 'note')}.`
}
