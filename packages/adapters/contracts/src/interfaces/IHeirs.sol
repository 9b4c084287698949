// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Lets an account name an heir, who takes over its tokens after a silence and a notice.
/// @dev An account gives a sign of life when it changes its heir, mints to itself, transfers a token itself or sends a
/// heartbeat. Each ends a takeover under way. What others do, such as buying from it, is no sign of life.
interface IHeirs {
    /// @notice An account named its heir; a zero heir means none.
    event HeirNamed(address indexed account, address indexed heir, uint256 silenceDays, uint256 noticeDays);
    /// @notice An account gave a sign of life and nothing else.
    event Heartbeat(address indexed account);
    /// @notice An heir announced to take over; it may from `takeoverAt` on, in seconds, unless the account gives a sign.
    event TakeoverAnnounced(address indexed account, address indexed heir, uint256 takeoverAt);
    /// @notice An heir took over tokens of an account. Follows their transfers.
    event TakenOver(address indexed account, address indexed heir, uint256[] tokenIds);

    /// @notice The pair, its forwarder and the account itself cannot be the heir.
    error HeirInvalid(address heir);
    /// @notice The silence or the notice is shorter or longer than allowed.
    error HeirDelayInvalid(uint256 numberOfDays, uint256 least, uint256 most);
    /// @notice The caller is not the heir of the account.
    error CallerNotHeir(address account, address heir, address caller);
    /// @notice The account is not silent for long enough; it will be at `silentAt`, in seconds.
    error AccountNotSilent(address account, uint256 silentAt);
    /// @notice The heir announced before, and the account gave no sign since.
    error TakeoverAlreadyAnnounced(address account, uint256 takeoverAt);
    /// @notice The heir has not announced since the account's last sign of life.
    error TakeoverNotAnnounced(address account);
    /// @notice The notice has not passed; it will have at `takeoverAt`, in seconds.
    error TakeoverTooEarly(address account, uint256 takeoverAt);

    /// @notice Names the heir of the caller, in place of any other. Three zeros name none.
    /// @param silenceDays The days without a sign of life after which the heir may announce, 30 to 3650.
    /// @param noticeDays The days from the announcement to the takeover, 30 to 3650.
    function nameHeir(address heir, uint256 silenceDays, uint256 noticeDays) external;

    /// @notice Gives a sign of life of the caller.
    function heartbeat() external;

    /// @notice Announces that the caller, the heir of a silent account, will take over its tokens.
    function announceTakeover(address account) external;

    /// @notice Transfers 1 to 200 tokens of an account to the caller, its heir. May be called again for others.
    function takeOver(address account, uint256[] calldata tokenIds) external;

    /// @notice Returns what an account arranged, all zero where it has no heir. Times are in seconds.
    /// @dev `announcedAt` is 0 unless a takeover is under way.
    function heirOf(address account)
        external
        view
        returns (address heir, uint256 silenceDays, uint256 noticeDays, uint256 lastSign, uint256 announcedAt);

    /// @notice Returns the heir who may take over from an account now; fails where nobody may.
    function successorOf(address account) external view returns (address heir);
}
