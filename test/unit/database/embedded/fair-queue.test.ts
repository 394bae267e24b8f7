import { describe, expect, it } from 'vitest'
import { FairQueue } from '../../../../emulator/database/embedded/queue/fair-queue.ts'

interface Waiting {
  readonly name: string
  readonly lane: string | undefined
}

function queueOf(...names: readonly string[]): FairQueue<Waiting> {
  const queue = new FairQueue<Waiting>(({ lane }) => lane)
  for (const name of names) queue.push(jobOf(name))
  return queue
}

// The job `a1` is in lane `a`; a job whose name begins with `-` is in no lane.
function jobOf(name: string): Waiting {
  return { name, lane: name.startsWith('-') ? undefined : name.slice(0, 1) }
}

function takeAll(queue: FairQueue<Waiting>): string {
  const taken: string[] = []
  for (let job = queue.take(); job !== undefined; job = queue.take()) taken.push(job.name)
  return taken.join(' ')
}

describe('the queue of waiting jobs', () => {
  it.each([
    ['keeps the order of one lane', 'a1 a2 a3', 'a1 a2 a3'],
    ['lets lanes take turns', 'a1 a2 a3 a4 b1 c1 b2', 'a1 b1 c1 a2 b2 a3 a4'],
    [
      'runs a job without a lane after all earlier and before all later jobs',
      'a1 a2 -x b1 a3 -y a4',
      'a1 a2 -x b1 a3 -y a4',
    ],
    ['takes jobs without a lane one after another', '-x -y -z', '-x -y -z'],
  ])('%s', (_, pushed, taken) => {
    expect(takeAll(queueOf(...pushed.split(' ')))).toBe(taken)
  })

  it('returns a job that was put first before all other jobs', () => {
    const queue = queueOf('a1', 'b1')
    queue.putFirst(jobOf('b0'))
    expect(takeAll(queue)).toBe('b0 a1 b1')
  })

  it('forgets a removed job and keeps the order of the other jobs', () => {
    const queue = queueOf('a1', 'a2', '-x', 'b1')
    const [, second] = queue
    if (second !== undefined) queue.remove(second)
    expect(queue.size).toBe(3)
    expect(takeAll(queue)).toBe('a1 -x b1')
  })

  it('does not remove a job that is not in the queue', () => {
    expect(queueOf('a1').remove(jobOf('a1'))).toBe(false)
  })
})
