/** Every verdict is chosen, and a scan is waited for an hour. */
export const watchedForAnHour = {
	isChosen: () => true,
	tellsUnfinished: true,
	verdictChanges: false,
	watchSeconds: 3600,
	maxScans: 1000,
};
