import type { NodeApiError } from 'n8n-workflow';

/**
 * The words the operations and the transport share. An operation says what it wants as a `Call`;
 * a `Service` sends it and gives back an `Answer`, or throws a NodeApiError made in one place.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A file on its way up. `open` may be called again: a permitted retry starts from the first byte. */
export interface UploadFile {
	/** Name of the multipart part that carries the content. */
	part: string;
	fileName: string;
	mimeType: string;
	/** Size in bytes; exact, since it becomes the request's Content-Length. */
	size: number;
	open(): Promise<AsyncIterable<Uint8Array>>;
}

export type Body =
	| { type: 'form'; fields: Record<string, string> }
	| { type: 'json'; text: string }
	| { type: 'multipart'; fields: Record<string, string>; file: UploadFile };

export interface Call {
	method: Method;
	/**
	 * Path below the service's address, `{name}` standing for a value of `pathValues`. Each value
	 * becomes exactly one percent-encoded segment, whatever it contains.
	 */
	path: string;
	pathValues?: Record<string, string>;
	/** `undefined` and empty values are left out. */
	query?: Record<string, string | number | boolean | undefined>;
	/** The query as the service handed it out, sent in place of `query`. */
	rawQuery?: string;
	body?: Body;
	/**
	 * Whether sending it twice does no more than sending it once. Only then is it repeated after an
	 * outcome that leaves open whether the service carried it out.
	 */
	idempotent: boolean;
	/** Where the answer says what follows it. That goes back to the service as it is, and into no item. */
	nextPageField?: string;
	/** Whether an answer in plain text is one, too: as a text. */
	takesText?: boolean;
	/** Digest of an answer that holds nothing new for who asks: if it comes again, its body is not opened. */
	knownDigest?: string;
	/** What the call does, as it completes the sentence "Could not …": 'scan the URL'. */
	purpose: string;
	/** What to check first where the service has nothing at the call's address. A full sentence. */
	ifNotFound?: string;
	/**
	 * For a call that is not idempotent: how to find out whether it was carried out after an outcome
	 * that leaves it open. A full sentence for the error text.
	 */
	howToCheck?: string;
}

/** Where a call stands in an execution: for error texts, pacing and cancellation. */
export interface CallContext {
	/** Index of the input item, counted from 0. */
	itemIndex?: number;
	/** Time by which the call must have been answered, in milliseconds of the transport's clock. */
	deadline?: number;
	/** How long the answer to a call that only reads may take to begin, in milliseconds: 120,000 unless told. */
	answerWithinMs?: number;
	/** Ends its waits, in the queue and between attempts. On its way, n8n's own signal ends it. */
	signal?: AbortSignal;
	/**
	 * Whether its time is short, as in a poll and in the wait for verdicts: so it does not wait behind what
	 * executions have yet to send.
	 */
	isUrgent?: boolean;
	/**
	 * How long after it was first sent it may still be repeated, in milliseconds, where its failure allows it at all.
	 * A 429 is waited out all the same.
	 */
	repeatsForMs?: number;
	/** Told of each request that repeats the call, before it is sent. */
	onRetry?: () => void;
	/** What of the item must appear in no error: a file's password, a header for a callback. */
	secrets?: string[];
}

export interface Answer {
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	/** The parsed JSON, `undefined` for an empty body and for the known one. */
	body: unknown;
	/** Of the body, unpacked; more where its values take more memory than its text. */
	bytes: number;
	/** SHA-256 of the body, unpacked: where it is short, so that it costs less than what it may save. */
	digest?: string;
	/** Milliseconds from the beginning of the request to this answer; a retry is a request of its own. */
	tookMs: number;
}

/** What waiting for the licensed rate cost so far, to be shown to the user. */
export interface Delays {
	/** Calls that waited for their turn for a second or more. */
	calls: number;
	/** Longest of these waits, in milliseconds. */
	longestMs: number;
}

export interface Service {
	/** Scheme, host and port, e.g. `https://api.perception-point.io`. */
	readonly origin: string;
	readonly delays: Delays;
	/**
	 * Sends one call within the queue of this service's token.
	 * @throws NodeApiError for every outcome but a 2xx status with a readable answer.
	 */
	send(call: Call, context?: CallContext): Promise<Answer>;
	/**
	 * The error for an answer that lacks what the operation needs.
	 * @param what What is wrong, as in "{what} in the answer of the console": 'there is no scan_id'.
	 * @param quote What the answer says instead. What the item must not show is cut out, what the credential must not is here.
	 */
	wrongShape(
		call: Pick<Call, 'purpose' | 'idempotent' | 'howToCheck'>,
		what: string,
		itemIndex?: number,
		quote?: string,
	): Promise<NodeApiError>;
	/** The error for an answer with a status of success that tells an error: what it holds beside may not be all. */
	toldError(
		call: Pick<Call, 'purpose' | 'idempotent' | 'howToCheck'>,
		itemIndex?: number,
		quote?: string,
	): Promise<NodeApiError>;
}
