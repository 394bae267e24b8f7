// `--otlp` of start and exec, and the variables of OpenTelemetry.
import { describe, expect, it } from 'vitest'
import type { ReadyLine } from '../../../emulator/index.ts'
import { runCli } from '../../support/cli-run.ts'
import { startCollector } from '../../support/otlp-collector.ts'
import { patiently } from '../../support/patience.ts'
import { until } from '../../support/until.ts'

const START = ['start', '--memory', '--port', '0', '--json'] as const

/** Reads rows of the demo's first tenant. Returns the status. */
async function read({ data_url: url, groups }: ReadyLine): Promise<number> {
  const key = groups[0]?.tenants[0]?.anon_key ?? ''
  const headers = { apikey: key, authorization: `Bearer ${key}` }
  return (await fetch(`${url}/treatments?select=name`, { headers })).status
}

describe('tenantry start --otlp', () => {
  it('sends to the collector of the URL', async () => {
    await using collector = await startCollector()
    const cli = runCli([...START, '--otlp', collector.url])
    expect(await read(await cli.ready)).toBe(200)
    await until(() => collector.spans.some(({ name }) => name === 'GET /treatments'))
    cli.child.kill('SIGINT')
    expect(await cli.ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('takes address, headers and names from the variables of OpenTelemetry when it has no URL', async () => {
    await using collector = await startCollector()
    const cli = runCli([...START, '--otlp'], {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=clinic%20team',
      OTEL_SERVICE_NAME: 'clinic-backend',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=local',
    })
    await read(await cli.ready)
    await until(() => collector.spans.length > 0)
    cli.child.kill('SIGINT')
    await cli.ended
    expect(collector.headers).toMatchObject({ 'x-team': 'clinic team' })
    expect(collector.resource).toMatchObject({
      'service.name': 'clinic-backend',
      'deployment.environment.name': 'local',
    })
  })

  it('is turned on by TENANTRY_OTLP, and by no variable of OpenTelemetry', async () => {
    await using silent = await startCollector()
    await using collector = await startCollector()
    const off = runCli(START, { OTEL_EXPORTER_OTLP_ENDPOINT: silent.url })
    await read(await off.ready)
    off.child.kill('SIGINT')
    await off.ended
    const on = runCli(START, { TENANTRY_OTLP: collector.url })
    await read(await on.ready)
    on.child.kill('SIGINT')
    await on.ended
    expect(collector.spans.map(({ name }) => name)).toContain('GET /treatments')
    expect(silent.spans).toEqual([])
  })

  it('is turned off by OTEL_SDK_DISABLED', async () => {
    await using collector = await startCollector()
    const cli = runCli([...START, '--otlp', collector.url], { OTEL_SDK_DISABLED: 'true' })
    await read(await cli.ready)
    cli.child.kill('SIGINT')
    await cli.ended
    expect(collector.spans).toEqual([])
  })

  it('answers requests and warns once when the collector is down, and says when it is back', async () => {
    const gone = await startCollector()
    const { port } = new URL(gone.url)
    await gone[Symbol.asyncDispose]()
    const cli = runCli([...START, '--otlp', `http://user:secret@127.0.0.1:${port}`])
    let stderr = ''
    cli.child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    const ready = await cli.ready
    await read(ready)
    await until(() => stderr.includes('telemetry'), 30_000)
    for (let count = 0; count < 20; count += 1) expect(await read(ready)).toBe(200)
    expect(stderr).toBe(
      `could not send telemetry to http://127.0.0.1:${port}: it refused the connection. It will be tried again; further failures are not reported.\n`,
    )
    await using collector = await startCollector(Number(port))
    await read(ready)
    await until(() => stderr.includes('again, after'), 30_000)
    expect(collector.spans.length).toBeGreaterThan(0)
    cli.child.kill('SIGINT')
    expect((await cli.ended).code).toBe(0)
  })

  it('stops within three seconds when the collector is down', async () => {
    const cli = runCli([...START, '--otlp', 'http://127.0.0.1:1'])
    await read(await cli.ready)
    const asked = performance.now()
    cli.child.kill('SIGINT')
    expect((await cli.ended).code).toBe(0)
    expect(performance.now() - asked).toBeLessThan(patiently(3_000))
  })

  it('refuses a value other than an address', async () => {
    const { code, stderr } = await runCli(['exec', '--otlp', 'vitest', 'run']).ended
    expect(code).toBe(1)
    expect(stderr).toContain('Write an address such as http://localhost:4318, or no value before')
  })
})

describe('tenantry exec --otlp', () => {
  it('has sent the requests of the command when it ends', async () => {
    await using collector = await startCollector()
    const script = `const key = process.env.TENANTRY_ANON_KEY
      await fetch(process.env.TENANTRY_DATA_URL + '/treatments', {
        headers: { apikey: key, authorization: 'Bearer ' + key, traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' } })`
    const { code } = await runCli([
      ...['exec', '--otlp', collector.url, '--', process.execPath],
      ...['--input-type=module', '-e', script],
    ]).ended
    expect(code).toBe(0)
    expect(collector.spans).toContainEqual(
      expect.objectContaining({
        name: 'GET /treatments',
        parentSpanId: '00f067aa0ba902b7',
      }),
    )
    expect(collector.metrics.map(({ name }) => name)).toContain('http.server.request.duration')
  })
})
