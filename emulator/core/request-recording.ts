// Interface through which the inspector records whole requests and responses. A recorder copies the bytes as they pass and
// never delays them.
import type { Reply, Wire } from './plain-http.ts'
import type { Stage } from './stopwatch.ts'

/** A request that has just arrived. */
export interface ArrivedRequest {
  readonly requestId: string
  readonly request: Request
  /** Path and query as received, secrets included. */
  readonly target: string
  /** Absent when the request did not come through a socket. */
  readonly wire: Wire | undefined
}

/** A request that is being recorded. */
export interface OpenRecording {
  /** The request to pass to the service. The recorder may copy the body while the service reads it. */
  readonly request: Request
  /**
   * Takes the service's answer and returns the answer to send. The recorder may copy the body while it is sent.
   * @param stages the measured stages of the request, if it was measured
   */
  answered(reply: Reply, stages?: readonly Stage[]): Reply
}

export interface RequestRecorder {
  /** Whether to measure the stages of every request. */
  readonly timesRequests: boolean
  /** Begins to record a request. The edge calls this function before the body is read. The function must not throw or wait. */
  begin(arrived: ArrivedRequest): OpenRecording
}
