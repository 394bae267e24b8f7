// Applies faults to open sockets, joins and delivered frames.
import type { FacedBearer, FrameFault, SocketFaults } from '../../core/fault.ts'
import { type Firing, identityOf, type Target } from './armed-fault.ts'
import { joinRefusal } from './errors/realtime.ts'
import type { FaultOperation } from './operations/fault-operation.ts'
import { OPERATIONS } from './operations/find-operation.ts'

const OPEN = operationNamed('socket.open')
const JOIN = operationNamed('channel.join')
const DELIVER = operationNamed('message.deliver')

export function socketFaults(
  firing: Firing,
  onArmed: (listener: () => void) => void,
): SocketFaults {
  return {
    get isArmed() {
      return firing.armed().length > 0
    },
    disconnect: (bearer, requestId) => {
      const target = targetOf(OPEN, bearer)
      return firing
        .armed()
        .find(
          (fault) =>
            fault.order.effect.kind === 'realtime_disconnect' &&
            firing.fires(fault, target, requestId),
        )?.id
    },
    frame: (bearer) => frameFault(firing, targetOf(DELIVER, bearer)),
    refuseJoin: (bearer, channelName) => {
      const target = targetOf(JOIN, bearer)
      for (const fault of firing.armed()) {
        const { effect } = fault.order
        if (effect.kind === 'error' && firing.fires(fault, target, undefined))
          return joinRefusal(effect.code, channelName)
      }
      return undefined
    },
    onArmed,
  }
}

// Adds up the delays and the copies of all faults that fire.
function frameFault(firing: Firing, target: Target): FrameFault | undefined {
  let delayMillis = 0
  let copies = 1
  for (const fault of firing.armed()) {
    const { effect } = fault.order
    if (effect.kind === 'realtime_delay' && firing.fires(fault, target, undefined))
      delayMillis += effect.ms
    else if (effect.kind === 'realtime_duplicate' && firing.fires(fault, target, undefined))
      copies += 1
  }
  return delayMillis === 0 && copies === 1 ? undefined : { delayMillis, copies }
}

function targetOf(operation: FaultOperation, { schemaName, ...bearer }: FacedBearer): Target {
  return {
    operation,
    identity: () => ({ ...identityOf(bearer.claims), role: bearer.role, subject: bearer.subject }),
    projects: () => [schemaName],
  }
}

function operationNamed(name: string): FaultOperation {
  const found = OPERATIONS.find(({ operation }) => operation === name)
  if (found === undefined) throw new TypeError(`there is no operation ${name}`)
  return found
}
