// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The address that an order is paid to. It obeys only its marketplace.
interface IDeposit {
    /// @notice Only the marketplace moves what is here.
    error CallerNotMarketplace(address caller);

    /// @notice Sends an amount to an account and returns whether that succeeded.
    /// @param asset The ERC-20 token to send, or zero for the native coin.
    function pull(address asset, address to, uint256 amount) external returns (bool sent);
}
