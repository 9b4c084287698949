// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMemoryRegistry} from "./IMemoryRegistry.sol";

/// @notice Pays native coins and dollars, and holds what a recipient refused until it is withdrawn.
/// @dev The two currencies are apart: a dollar that is paused, or blocks an account, touches no native coin.
interface IPayments {
    /// @notice The recipient refused native coins, which are credited to it.
    event Credited(address indexed to, uint256 amount);
    /// @notice An account withdrew its credit of native coins.
    event Withdrawn(address indexed account, address indexed to, uint256 amount);
    /// @notice The dollar refused to pay the recipient, who is credited.
    event DollarsCredited(address indexed to, address indexed asset, uint256 amount);
    /// @notice An account withdrew its credit of dollars.
    event DollarsWithdrawn(address indexed account, address indexed to, address indexed asset, uint256 amount);
    /// @notice An heir took over the credit of an account.
    event CreditTakenOver(address indexed account, address indexed heir, uint256 amount, uint256 dollars);

    /// @notice The account cannot hold tokens or rentals, or refuses a withdrawal.
    error RecipientInvalid(address recipient);
    /// @notice The account has no credit.
    error CreditEmpty(address account);
    /// @notice The heir has not announced since the account's last sign of life.
    error TakeoverNotAnnounced(address account);
    /// @notice The notice has not passed; it will have at `takeoverAt`, in seconds.
    error TakeoverTooEarly(address account, uint256 takeoverAt);
    /// @notice The marketplace was called while it pays.
    error Reentered();
    /// @notice The gas limit leaves a recipient less than the whole allowance of gas.
    error GasTooLow(uint256 gasLeft, uint256 needed);

    /// @notice Sends all native credit of the caller to `to`.
    function withdraw(address to) external;

    /// @notice Sends all native credit of an account to this account. Anybody may call it.
    function withdrawFor(address account) external;

    /// @notice Sends all dollar credit of the caller to `to`.
    function withdrawDollars(address to) external;

    /// @notice Sends all dollar credit of an account to this account. Anybody may call it.
    function withdrawDollarsFor(address account) external;

    /// @notice Credits the caller, who may take over from an account now, with all credit of this account.
    function takeOverCredit(address account) external;

    /// @notice Returns the native coins that an account can withdraw, in wei.
    function creditOf(address account) external view returns (uint256);

    /// @notice Returns the dollars that an account can withdraw, in the dollar's smallest unit.
    function dollarCreditOf(address account) external view returns (uint256);

    /// @notice Returns the registry that was deployed with this marketplace.
    function registry() external view returns (IMemoryRegistry);

    /// @notice Returns the dollar of this pair, an ERC-20 token with EIP-3009, or zero where there is none.
    function dollar() external view returns (address);
}
